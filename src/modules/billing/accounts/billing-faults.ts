import { type RequestContext } from '#kernel/context/request-context';

/** A rule that an organization's billing data breaks. Sums and counts are decimal text. */
export interface BillingFault {
  readonly organizationId: string;
  /** `statement`: the closing balance of a closed month is not that of the month before plus the entries of the month. */
  readonly rule: 'balance' | 'reserved' | 'spent' | 'storage' | 'statement';
  /** The month of a `statement`. */
  readonly period?: string;
  readonly expected: string;
  readonly actual: string;
}

/**
 * Compares the account of an organization with its open months, its reservations and its builds. Closed months count with the closing
 * balance of the last statement. A read model implements it.
 */
export abstract class BillingFaults {
  abstract ofAccount(ctx: RequestContext, organizationId: string): Promise<readonly BillingFault[]>;
}
