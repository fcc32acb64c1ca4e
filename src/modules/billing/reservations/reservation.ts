import { type Meter } from '#kernel/billing/pricing';

/** What is metered while it is in flight. */
export type MeteredKind = Exclude<Meter, 'storage'>;

/** About 30 minutes without use return the room (specification §3, §8). */
export const RESERVATION_MINUTES = 30;

/** Asks for admission of an upload or download. */
export interface AdmissionRequest {
  readonly organizationId: string;
  readonly kind: MeteredKind;
  /** What it is expected to take. */
  readonly sizeBytes: number;
}

/** Room that is held until the transfer is settled or released. */
export interface Reservation {
  readonly id: string;
  readonly expiresAt: Date;
}

/** Where a reservation that was just resolved comes from. */
export interface ResolvedReservation {
  readonly organizationId: string;
  readonly kind: MeteredKind;
  /** What it held until now: nothing, when it had run out before. */
  readonly heldMicroUsd: bigint;
  readonly metered: boolean;
}
