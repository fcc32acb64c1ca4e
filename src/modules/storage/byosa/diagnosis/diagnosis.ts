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
  'upload_in_parts',
  'delete',
] as const;
export type CheckName = (typeof CHECK_NAMES)[number];

export const CHECK_STATUSES = ['passed', 'failed', 'skipped'] as const;

/** Why a check failed, for programs and translations. It says no more than the message. */
export const CHECK_REASONS = [
  'unresolved',
  'not_public',
  'not_https',
  'unreachable',
  'connection',
  'tls',
  'timeout',
  'clock',
  'credentials',
  'unknown_key',
  'expired_key',
  'wrong_secret',
  'permission',
  'container',
  'full',
  'failing',
  'changed_bytes',
  'not_deleted',
  'no_signed_urls',
  'signed_url_rejected',
  'no_uploads_in_parts',
] as const;
export type CheckReason = (typeof CHECK_REASONS)[number];

export interface CheckResult {
  readonly name: CheckName;
  readonly status: (typeof CHECK_STATUSES)[number];
  /** For a person. For a failed check: how to fix it. */
  readonly message: string;
  /** Null unless the check failed. */
  readonly reason: CheckReason | null;
  readonly durationMs: number;
}

export interface Diagnosis {
  readonly ok: boolean;
  /** Every check once, in the order of `CHECK_NAMES`. */
  readonly checks: readonly CheckResult[];
}
