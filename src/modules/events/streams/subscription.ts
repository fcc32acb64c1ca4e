import { type ExecutionContext } from '@nestjs/common';
import { type Change, idsOf, maySee, type Viewer } from '#kernel/audit/change';
import { accountOf, type DeveloperOwned } from '#kernel/context/identity';
import { type EventStream } from './event-stream';
import { type Occupant } from './stream-room';

/** A request for the events of an organization. */
export interface EventRequest {
  readonly organizationId: string;
  /** Repeats the guards of the request. */
  readonly execution: ExecutionContext;
  /** When the credential expires; null when only its revocation ends it. */
  readonly expiresAt: Date | null;
  /** The id of the last event that the client received; undefined for a new client. */
  readonly lastEventId: string | undefined;
  /** A new client also receives the events of this many seconds before. */
  readonly recentSeconds: number;
  /** The wider network of the client. */
  readonly network: string;
}

export type ClosingReason = 'credential' | 'access' | 'room' | 'shutdown';

/** Milliseconds between heartbeats. */
const HEARTBEAT_MS = 20_000;
/** Milliseconds between checks of the caller's access. */
const CHECK_MS = 45_000;

/** An open stream and its caller. */
export class Subscription implements Occupant {
  readonly account: string | null;
  /** The state of the credential when it was last checked. */
  private checkedState: string | undefined;
  private checkedPosition: number;
  private checkedAt: number;
  private heartbeatAt: number;
  private position: number;

  /**
   * @param start the position after which the client receives events, and the newest one when the viewer's access was checked.
   */
  constructor(
    readonly request: EventRequest,
    private readonly stream: EventStream,
    private viewer: Viewer,
    { position, head }: { readonly position: number; readonly head: number },
    now: Date,
  ) {
    this.account = accountOf(viewer.identity);
    this.position = position;
    this.checkedPosition = head;
    this.checkedAt = this.heartbeatAt = now.getTime();
  }

  get organizationId(): string {
    return this.request.organizationId;
  }

  get network(): string {
    return this.request.network;
  }

  get identity(): DeveloperOwned {
    return this.viewer.identity;
  }

  get isOpen(): boolean {
    return this.stream.isOpen;
  }

  /** The position of the last event that was sent or passed over. */
  get lastPosition(): number {
    return this.position;
  }

  /** The viewer's access includes the changes up to this position. */
  get checkedUpTo(): number {
    return this.checkedPosition;
  }

  open(): void {
    const { lastEventId } = this.request;
    this.stream.open(this.position);
    if (lastEventId !== undefined && lastEventId !== String(this.position)) this.resync(this.position);
  }

  /** Whether it is time to check the caller's access: when the state of the credential changed, regularly, and when it expires. */
  isCheckDue(now: Date, state: string | undefined): boolean {
    const { expiresAt } = this.request;
    return (
      state !== this.checkedState ||
      Math.abs(now.getTime() - this.checkedAt) >= CHECK_MS ||
      (expiresAt !== null && now.getTime() >= expiresAt.getTime())
    );
  }

  /** @param head the position of the newest event, read before the check: later events may have changed the access again. */
  confirm(viewer: Viewer, now: Date, head: number): void {
    this.viewer = viewer;
    this.checkedPosition = Math.max(head, this.checkedPosition);
    this.checkedAt = now.getTime();
  }

  /** @param state read before the check, so that a later change is noticed. */
  confirmState(state: string | undefined): void {
    this.checkedState = state;
  }

  /** Whether the caller may see a change, by the roles that they had at the last check. */
  sees(change: Change): boolean {
    return maySee(this.viewer, change);
  }

  send(change: Change): void {
    this.stream.send(null, change.position, { type: change.type, ...idsOf(change) });
  }

  passTo(position: number): void {
    this.position = position;
  }

  /** Tells the client that it missed events. */
  resync(position: number): void {
    this.position = position;
    this.stream.send('resync', position, { type: 'resync' });
  }

  heartbeatIfDue(now: Date): void {
    if (Math.abs(now.getTime() - this.heartbeatAt) < HEARTBEAT_MS) return;
    this.heartbeatAt = now.getTime();
    this.stream.heartbeat(this.position);
  }

  close(reason: ClosingReason): void {
    this.stream.send('closing', this.position, { type: 'closing', reason });
    this.stream.end();
  }
}
