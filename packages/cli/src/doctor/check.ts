import { type Output } from '../output/output';

/** `warning`: it works now, but may fail later or for some people. `skipped`: it could not be checked, or does not apply. */
type CheckState = 'ok' | 'warning' | 'failed' | 'skipped';

/** The result of one check. */
export interface Check {
  /** Stable name, for programs. */
  readonly name: string;
  readonly state: CheckState;
  readonly message: string;
  /** The remedy. Null when nothing needs to be done. */
  readonly remedy: string | null;
}

export const ok = (name: string, message: string): Check => ({ name, state: 'ok', message, remedy: null });

export const warning = (name: string, message: string, remedy: string): Check => ({
  name,
  state: 'warning',
  message,
  remedy,
});

export const failed = (name: string, message: string, remedy: string): Check => ({
  name,
  state: 'failed',
  message,
  remedy,
});

export const skipped = (name: string, message: string): Check => ({ name, state: 'skipped', message, remedy: null });

const MARKS: Readonly<Record<CheckState, string>> = { ok: '✓', warning: '!', failed: '✗', skipped: '-' };

/** Checks as text: a line for each, and its remedy on the next line. */
export function reportOf(checks: readonly Check[], { colors }: Output): string {
  const colorOf = { ok: colors.green, warning: colors.yellow, failed: colors.red, skipped: colors.dim };
  return checks
    .flatMap(({ state, message, remedy }) => [
      `${colorOf[state](MARKS[state])} ${message}`,
      ...(remedy === null ? [] : [`  ${colors.bold('→')} ${remedy}`]),
    ])
    .join('\n');
}
