import { type Platform } from '#kernel/builds/platform';
import { type ProjectScope } from '#kernel/context/scope';

/** A named release slot of a project, with a sequence of releases. */
export interface Channel extends ProjectScope {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
}

export interface ChannelWithUrl extends Channel {
  /** Null when the link cannot be opened. */
  readonly installUrl: string | null;
  /** The link as a QR code. Null where `installUrl` is, and for a link with rules. */
  readonly qrUrl: string | null;
}

/** The build that testers of a channel get for a platform. */
export interface CurrentBuild {
  readonly releaseId: string;
  readonly platform: Platform;
  /** The number of the release in the channel. */
  readonly sequence: number;
  readonly promotedAt: Date;
  readonly buildId: string;
  readonly version: string;
  readonly buildNumber: string | null;
  readonly sizeBytes: number;
  /** Null when the build has no icon. */
  readonly iconUrl: string | null;
  readonly installable: boolean;
}

/** The data of other modules about a channel. */
export interface ChannelRelations {
  /** At most one per platform, in the order of the platforms. */
  readonly current: readonly CurrentBuild[];
  /** The number of subscribed testers. */
  readonly subscribers: number;
}

export interface DescribedChannel extends ChannelWithUrl, ChannelRelations {}
