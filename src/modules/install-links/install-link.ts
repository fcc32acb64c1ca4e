import { type ProjectScope } from '#kernel/context/scope';
import { type InstallLinkEntity } from './install-link.entity';

/** The link of one build: it never moves. */
export interface BuildInstallLink extends ProjectScope {
  readonly kind: 'build';
  readonly id: string;
  readonly buildId: string;
}

/** The link of a channel: it opens whatever is current there. */
export interface ChannelInstallLink extends ProjectScope {
  readonly kind: 'channel';
  readonly id: string;
  readonly channelId: string;
}

/** A link of one tester: it opens what they are to see, or just the build or channel that it names. */
export interface TesterInstallLink extends ProjectScope {
  readonly kind: 'tester';
  readonly id: string;
  readonly testerId: string;
  readonly buildId: string | null;
  readonly channelId: string | null;
  /** When its one state change was made (specification §5: one-time-use for state-changing actions). */
  readonly spentAt: Date | null;
}

/** What an install link opens. */
export type InstallLink = BuildInstallLink | ChannelInstallLink | TesterInstallLink;

/** A row as what it is. */
export function toInvite(row: InstallLinkEntity): InstallLink {
  const { id, organizationId, projectId, testerId, buildId, channelId, spentAt } = row;
  const common = { id, organizationId, projectId };
  if (testerId !== null) return { ...common, kind: 'tester', testerId, buildId, channelId, spentAt };
  if (channelId !== null) return { ...common, kind: 'channel', channelId };
  // ck_invite_opens
  return { ...common, kind: 'build', buildId: buildId as string };
}
