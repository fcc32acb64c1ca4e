import { type Platform, PLATFORMS } from '#kernel/builds/platform';
import { type Owner } from '#kernel/context/identity';
import { type ChannelScope, type ProjectScope } from '#kernel/context/scope';
import { type BuildWithUrl } from '#modules/builds';
import { type LabelledOwner } from '#modules/tokens';

/** A build promoted to a channel. It never changes. */
export interface Release extends ChannelScope {
  readonly id: string;
  readonly buildId: string;
  /** The platform of the build. */
  readonly platform: Platform;
  /** 1 for the channel's first release, without gaps. Numbers of withdrawn releases are not reused. */
  readonly sequence: number;
  /** The notes of the promotion. The build has its own notes. */
  readonly notes: string | null;
  /** Whether subscribers are mailed about it. */
  readonly notify: boolean;
  /** Whether installed apps that check for updates must install it. */
  readonly mandatory: boolean;
  readonly promotedBy: Owner;
  readonly promotedAt: Date;
  /** Whether this is the newest release of its platform in the channel. */
  readonly current: boolean;
}

/** What audit events name of a release. */
export type ReleaseFacts = ProjectScope & Pick<Release, 'id' | 'channelId' | 'buildId' | 'platform' | 'sequence'>;

export const releaseFacts = ({ id, channelId, buildId, platform, sequence }: ReleaseFacts) => ({
  release_id: id,
  channel_id: channelId,
  build_id: buildId,
  platform,
  sequence,
});

export interface ReleaseWithBuild extends Release {
  readonly build: BuildWithUrl;
}

/** Sorts the releases of a channel as all pages and mails show them. */
export const inOrderOfPlatforms = <R extends Pick<Release, 'platform'>>(releases: readonly R[]): R[] =>
  releases.toSorted((a, b) => PLATFORMS.indexOf(a.platform) - PLATFORMS.indexOf(b.platform));

/** The mails to testers about a release. */
export interface ReleaseMails {
  /** The number of mails that were given to the mail queue and did not fail. */
  readonly queued: number;
  /** The number of mails that wait, because their testers got many mails. */
  readonly waiting: number;
  /** The number of mails that the mail server refused for good, or whose tester cannot be reached. */
  readonly failed: number;
}

/** A release with the name of the promoter and its mails. */
export interface LabelledRelease extends ReleaseWithBuild {
  readonly promotedBy: LabelledOwner;
  /** Null without mails, and when they are no longer known. */
  readonly mails: ReleaseMails | null;
}
