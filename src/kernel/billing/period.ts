/** A billing period: a calendar month, UTC (specification §8). */
export interface Period {
  /** `2026-11`: sorts as it follows. */
  readonly name: string;
  /** The first instant of it. */
  readonly start: Date;
  /** The first instant after it. */
  readonly end: Date;
}

const NAME = /^(\d{4})-(0[1-9]|1[0-2])$/;
const DAY_MS = 86_400_000;

export const isPeriodName = (name: string): boolean => NAME.test(name);

const monthOf = (year: number, month: number): Period => {
  const start = new Date(Date.UTC(year, month, 1));
  return { name: start.toISOString().slice(0, 7), start, end: new Date(Date.UTC(year, month + 1, 1)) };
};

/** The period that an instant belongs to, whatever the time zone of the process. */
export const periodOf = (instant: Date): Period => monthOf(instant.getUTCFullYear(), instant.getUTCMonth());

/** The period of a name that `isPeriodName` accepts. */
export function periodNamed(name: string): Period {
  const [, year, month] = NAME.exec(name) ?? [];
  return monthOf(Number(year), Number(month) - 1);
}

export const periodAfter = (period: Period): Period => periodOf(period.end);

/** The length of a period in milliseconds: from 28 to 31 days. */
export const lengthMs = ({ start, end }: Pick<Period, 'start' | 'end'>): bigint =>
  BigInt(end.getTime() - start.getTime());

/** The first instants of the days of a period. UTC has no days of 23 or 25 hours. */
export function daysOf({ start, end }: Period): readonly Date[] {
  const count = (end.getTime() - start.getTime()) / DAY_MS;
  return Array.from({ length: count }, (_, day) => new Date(start.getTime() + day * DAY_MS));
}

/** The first instant of the day of an instant. */
export const dayOf = (instant: Date): Date => new Date(Math.floor(instant.getTime() / DAY_MS) * DAY_MS);
