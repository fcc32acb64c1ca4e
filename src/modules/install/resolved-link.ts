import { type RequestContext } from '#kernel/context/request-context';
import { type BuildWithUrl } from '#modules/builds';
import { type Channel } from '#modules/channels';
import { type InstallLink } from '#modules/install-links';

/** A link that is good, and the context of whoever holds it. */
export interface ResolvedLink {
  readonly invite: InstallLink;
  readonly holder: RequestContext;
}

/** A build behind a link: as its channel presents it, where it came through one. */
export interface ReachableBuild {
  readonly build: BuildWithUrl;
  readonly channel: Channel | null;
  /** What the promoter says about it, else what the build says. */
  readonly notes: string | null;
  /** Since when it is there: promoted, or uploaded. */
  readonly since: Date;
}

/** All that a page shows of a link. */
export interface LinkContents {
  /** Newest first, each build once. */
  readonly current: readonly ReachableBuild[];
  /** What was current in the link's channel before, newest first. */
  readonly older: readonly ReachableBuild[];
  /** The channel that the link is about. */
  readonly channel: Channel | null;
}

/** The channel that a link is about. */
export const channelIdOf = (invite: InstallLink): string | null => (invite.kind === 'build' ? null : invite.channelId);

/** The one build that a link is about; null where there may be many. */
export const buildIdOf = (invite: InstallLink): string | null => (invite.kind === 'channel' ? null : invite.buildId);
