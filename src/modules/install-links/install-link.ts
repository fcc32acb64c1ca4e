import { type ProjectScope } from '#kernel/context/scope';
import { type InstallLinkEntity } from './install-links.repository';

/** The permanent link of one build. */
export interface BuildInstallLink extends ProjectScope {
  readonly kind: 'build';
  readonly id: string;
  readonly buildId: string;
}

/** The link of a channel. It opens the channel's current releases. */
export interface ChannelInstallLink extends ProjectScope {
  readonly kind: 'channel';
  readonly id: string;
  readonly channelId: string;
}

/** A link mailed to one tester. It opens a build, a channel or, when both ids are null, every build that the tester may install. */
export interface TesterInstallLink extends ProjectScope {
  readonly kind: 'tester';
  readonly id: string;
  readonly testerId: string;
  readonly buildId: string | null;
  readonly channelId: string | null;
  /** When the link made its one change (subscribe, unsubscribe, decline), null when it has not. */
  readonly usedAt: Date | null;
  /** When the link was last opened, exact to a day; null before. */
  readonly lastOpenedAt: Date | null;
}

export type InstallLink = BuildInstallLink | ChannelInstallLink | TesterInstallLink;

/** The address of the QR code of an install link, which is a credential like the link itself. */
export const qrUrlOf = (installUrl: string): string => `${installUrl}/qr.svg`;

export function installLinkFromRow(row: InstallLinkEntity): InstallLink {
  const { id, organizationId, projectId, testerId, buildId, channelId, usedAt, lastOpenedAt } = row;
  const common = { id, organizationId, projectId };
  if (testerId !== null) return { ...common, kind: 'tester', testerId, buildId, channelId, usedAt, lastOpenedAt };
  if (channelId !== null) return { ...common, kind: 'channel', channelId };
  // The constraint ck_invite_opens guarantees a build id.
  return { ...common, kind: 'build', buildId: buildId as string };
}
