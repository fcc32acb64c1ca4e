import { type Meter } from '#kernel/billing/pricing';
import { type LockedBillingAccount } from '../accounts/billing-account';

/** The meters of a transfer, for which credit is reserved before it starts. */
export type MeteredKind = Exclude<Meter, 'storage'>;

/** How long a reservation lasts unless it is extended. */
export const RESERVATION_MINUTES = 30;

/** A transfer to reserve credit for. */
export interface ReservationRequest {
  /** The id of the reservation. Default: a new one. */
  readonly id?: string;
  readonly organizationId: string;
  readonly kind: MeteredKind;
  /** The expected size of the transfer. */
  readonly sizeBytes: number;
  /** Whether the artifact is in the organization's own storage account, which is never metered. Default: false. */
  readonly isInOwnStorage?: boolean;
}

/**
 * Credit held until the transfer is settled or released, or the reservation expires. Nothing is held for callers without an account: their
 * transfer is admitted, and paid when its first byte is sent.
 */
export interface Reservation {
  readonly id: string;
  readonly expiresAt: Date;
  /** Whether the transfer will cost something. */
  readonly isCharged: boolean;
}

/** A reservation that was just settled or released. */
export interface ResolvedReservation {
  /** The account of the reservation, which still holds its amount. */
  readonly account: LockedBillingAccount;
  readonly kind: MeteredKind;
  /** The amount that it held until now; 0 when it had expired. */
  readonly heldMicroUsd: bigint;
  readonly isMetered: boolean;
  /** Whether it was made without holding credit, so that the credit must be there when it is settled. */
  readonly isUnheld: boolean;
}
