/** What is tried of a customer's store, in this order (contract §11). */
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
  /** For people: of a failure, what to do about it. */
  readonly message: string;
  readonly durationMs: number;
}

export interface Diagnosis {
  readonly ok: boolean;
  /** Every check, once. */
  readonly checks: readonly CheckResult[];
}
