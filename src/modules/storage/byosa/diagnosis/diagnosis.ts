/** The checks of a customer's store, in the order in which they run. */
export const CHECK_NAMES = [
  'resolve',
  'public_address',
  'reach',
  'clock_skew',
  'authenticate',
  'container',
  'list',
  'write',
  'read_back',
  'range_read',
  'signed_url',
  'delete',
] as const;
export type CheckName = (typeof CHECK_NAMES)[number];

export const CHECK_STATUSES = ['passed', 'failed', 'skipped'] as const;

export interface CheckResult {
  readonly name: CheckName;
  readonly status: (typeof CHECK_STATUSES)[number];
  /** For a person. For a failed check: how to fix it. */
  readonly message: string;
  readonly durationMs: number;
}

export interface Diagnosis {
  readonly ok: boolean;
  /** Every check once, in the order of `CHECK_NAMES`. */
  readonly checks: readonly CheckResult[];
}
