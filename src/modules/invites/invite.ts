import { type ProjectScope } from '#kernel/scope/scope';
import { type InviteEntity } from './invite.entity';

/** The link of one build: it never moves. */
export interface BuildInvite extends ProjectScope {
  readonly kind: 'build';
  readonly id: string;
  readonly buildId: string;
}

/** The link of a channel: it opens whatever is current there. */
export interface ChannelInvite extends ProjectScope {
  readonly kind: 'channel';
  readonly id: string;
  readonly channelId: string;
}

/** A link of one tester: it opens what they are to see, or just the build or channel that it names. */
export interface TesterInvite extends ProjectScope {
  readonly kind: 'tester';
  readonly id: string;
  readonly testerId: string;
  readonly buildId: string | null;
  readonly channelId: string | null;
  /** When its one state change was made (specification §5: one-time-use for state-changing actions). */
  readonly spentAt: Date | null;
}

/** What an install link opens. */
export type Invite = BuildInvite | ChannelInvite | TesterInvite;

/** A row as what it is. */
export function toInvite(row: InviteEntity): Invite {
  const { id, organizationId, projectId, testerId, buildId, channelId, spentAt } = row;
  const common = { id, organizationId, projectId };
  if (testerId !== null) return { ...common, kind: 'tester', testerId, buildId, channelId, spentAt };
  if (channelId !== null) return { ...common, kind: 'channel', channelId };
  // ck_invite_opens
  return { ...common, kind: 'build', buildId: buildId as string };
}
