import { type Platform } from '#kernel/builds/platform';
import { type NearSigningEnd, type SigningEnd, type TimeRange } from '#kernel/builds/signing-end';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';

/** The number of builds of a project that are announced in one run although no channel shows them: the newest. */
export const MAX_OF_LINKS = 100;

/** A build that testers can get. */
interface ShownBuild {
  readonly id: string;
  readonly platform: Platform;
  readonly version: string;
  readonly buildNumber: string | null;
  /** The names of the channels in which it is current, sorted. Empty when only a link shows it. */
  readonly channels: readonly string[];
}

/** A build whose signature ends. */
export interface EndingBuild extends ShownBuild {
  readonly end: SigningEnd;
}

/** A build whose end is announced. */
export interface AnnouncedBuild extends ShownBuild, NearSigningEnd {}

/** Reads the builds that testers can get, which depends on channels and links. A read model implements it. */
export abstract class EndingBuilds {
  /**
   * The builds of a project whose signature ends in one of the ranges, and that a channel or a recent link shows (`hasRecentLink`): those of
   * channels, then at most `MAX_OF_LINKS` others, each group from the newest build on.
   */
  abstract find(ctx: RequestContext, scope: ProjectScope, ends: readonly TimeRange[]): Promise<readonly EndingBuild[]>;
}
