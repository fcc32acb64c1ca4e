/** `warning`: it works, but may not for long or not for everyone. `skipped`: it could not be checked, or does not apply. */
export type CheckState = 'ok' | 'warning' | 'failed' | 'skipped';

/** What was found about one thing. */
export interface Check {
  /** Stable name, for programs. */
  readonly name: string;
  readonly state: CheckState;
  readonly message: string;
  /** What to do about it. Null when there is nothing to do. */
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
