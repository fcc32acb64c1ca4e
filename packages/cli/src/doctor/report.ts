import { type Output } from '../output/output';
import { type Check, type CheckState } from './check';

const MARKS: Readonly<Record<CheckState, string>> = { ok: '✓', warning: '!', failed: '✗', skipped: '-' };

/** Checks as text: a line for each, and below it what to do. */
export function reportOf(checks: readonly Check[], { colors }: Output): string {
  const colorOf = { ok: colors.green, warning: colors.yellow, failed: colors.red, skipped: colors.dim };
  return checks
    .flatMap(({ state, message, remedy }) => [
      `${colorOf[state](MARKS[state])} ${message}`,
      ...(remedy === null ? [] : [`  ${colors.bold('→')} ${remedy}`]),
    ])
    .join('\n');
}
