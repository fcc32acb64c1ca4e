/** A billing period: a calendar month, UTC. */
export interface Period {
  /** Such as `2026-11`. Names sort in chronological order. */
  readonly name: string;
  /** The first instant of the period. */
  readonly start: Date;
  /** The first instant after the period. */
  readonly end: Date;
}

const NAME = /^(\d{4})-(0[1-9]|1[0-2])$/;
const DAY_MS = 86_400_000;

export const isPeriodName = (name: string): boolean => NAME.test(name);

const monthOf = (year: number, month: number): Period => {
  const start = new Date(Date.UTC(year, month, 1));
  return { name: start.toISOString().slice(0, 7), start, end: new Date(Date.UTC(year, month + 1, 1)) };
};

/** The period that contains an instant. */
export const periodOf = (instant: Date): Period => monthOf(instant.getUTCFullYear(), instant.getUTCMonth());

/** @param name must satisfy `isPeriodName`. */
export function periodNamed(name: string): Period {
  const [, year, month] = NAME.exec(name) ?? [];
  return monthOf(Number(year), Number(month) - 1);
}

export const periodAfter = (period: Period): Period => periodOf(period.end);

/** The length of a period in milliseconds. */
export const lengthMs = ({ start, end }: Pick<Period, 'start' | 'end'>): bigint =>
  BigInt(end.getTime() - start.getTime());

/** The first instants of the days of a period. Days in UTC always have 24 hours. */
export function daysOf({ start, end }: Period): readonly Date[] {
  const count = (end.getTime() - start.getTime()) / DAY_MS;
  return Array.from({ length: count }, (_, day) => new Date(start.getTime() + day * DAY_MS));
}

/** The first instant of the UTC day that contains an instant. */
export const dayOf = (instant: Date): Date => new Date(Math.floor(instant.getTime() / DAY_MS) * DAY_MS);
