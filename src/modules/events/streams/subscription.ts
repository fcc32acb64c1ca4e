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
  private checkedAt: number;
  private heartbeatAt: number;

  constructor(
    readonly request: EventRequest,
    private readonly stream: EventStream,
    private viewer: Viewer,
    private position: number,
    now: Date,
  ) {
    this.account = accountOf(viewer.identity);
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

  confirm(viewer: Viewer, now: Date): void {
    this.viewer = viewer;
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
