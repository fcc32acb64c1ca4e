/** What is metered while it is in flight. */
export type MeteredKind = 'upload' | 'download';

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
