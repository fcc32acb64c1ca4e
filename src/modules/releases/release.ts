import { type Platform } from '#kernel/builds/platform';
import { type Owner } from '#kernel/context/identity';
import { type ChannelScope } from '#kernel/context/scope';
import { type BuildWithUrl } from '#modules/builds';

/** A build promoted to a channel (specification §2): a fact that never changes. */
export interface Release extends ChannelScope {
  readonly id: string;
  readonly buildId: string;
  /** The build's. */
  readonly platform: Platform;
  /** 1 for the first of the channel, without a gap; numbers of withdrawn ones are not used again. */
  readonly sequence: number;
  /** What the promoter says; the build has notes of its own. */
  readonly notes: string | null;
  readonly promotedBy: Owner;
  readonly promotedAt: Date;
  /** Whether it is the newest of its platform in the channel at this moment. */
  readonly current: boolean;
}

/** A release with its build. */
export interface ReleaseWithBuild extends Release {
  readonly build: BuildWithUrl;
}
