import { inDollars, MICRO_USD } from '#kernel/billing/pricing';
import { AppError } from '#kernel/errors/app-error';
import { isUuid } from '#kernel/ids';
import { type OperatorInput } from './operator-command';

/** A UUID in lower case. @throws AppError invalid_input for any other value. */
export function uuidOf(input: OperatorInput, name: string): string {
  const value = input[name] ?? '';
  if (isUuid(value)) return value.toLowerCase();
  throw AppError.invalidInput(name, `${name} must be a UUID.`);
}

export const organizationOf = (input: OperatorInput): string => uuidOf(input, 'organization_id');

/** Parses an amount in US dollars, such as `12.50`, without rounding. @throws AppError invalid_input */
export function microUsdOf(text: string | undefined, name: string): bigint {
  const parts = /^(-?)(\d{1,9})(?:\.(\d{1,6}))?$/.exec(text ?? '');
  if (!parts) throw AppError.invalidInput(name, `${name} must be an amount of US dollars, such as 12.50.`);
  const [, sign, whole = '', fraction = ''] = parts;
  const amount = BigInt(whole) * MICRO_USD + BigInt(fraction.padEnd(6, '0'));
  return sign ? -amount : amount;
}

/** Formats an amount with at least two decimals: `12.50 USD`. */
export const dollars = (microUsd: bigint): string => `${inDollars(microUsd, 6)} USD`;
