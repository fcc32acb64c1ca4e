import { type RequestContext } from '#kernel/context/request-context';

/** A rule that an organization's billing data breaks. Sums and counts are decimal text. */
export interface BillingFault {
  readonly organizationId: string;
  readonly rule: 'balance' | 'reserved' | 'spent' | 'storage';
  readonly expected: string;
  readonly actual: string;
}

/** Compares the billing data of all organizations with one another and with the builds. A read model implements it. */
export abstract class BillingFaults {
  abstract find(ctx: RequestContext): Promise<readonly BillingFault[]>;
}
