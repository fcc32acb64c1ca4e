import { InvalidArgumentError } from 'commander';

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 };

/** Milliseconds of a text such as `90s`, `15m` or `1h`; a number alone is seconds. @throws InvalidArgumentError */
export function durationOf(text: string): number {
  const [, number, unit = 's'] = /^(\d+(?:\.\d+)?)([smh]?)$/.exec(text.trim()) ?? [];
  if (number === undefined) throw new InvalidArgumentError('Use a duration such as 90s or 15m.');
  return Number(number) * (UNITS[unit || 's'] ?? 0);
}

/** A parser of whole numbers within bounds. */
export const wholeNumber =
  (min: number, max: number) =>
  (text: string): number => {
    const number = Number(text);
    if (text.trim() === '' || !Number.isInteger(number) || number < min || number > max) {
      throw new InvalidArgumentError(`Use a whole number from ${min} to ${max}.`);
    }
    return number;
  };

/** A parser of options that can be repeated, or that list several values with commas. */
export const severalValues = (text: string, before: readonly string[] = []): string[] => [
  ...before,
  ...text
    .split(',')
    .map((value) => value.trim())
    .filter((value) => value !== ''),
];
