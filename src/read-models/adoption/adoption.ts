import { type Platform } from '#kernel/builds/platform';
import { type AdoptionCounts } from '#modules/testers';

/** The numbers of testers of an audience: in total, and in each step. */
export interface Adoption extends AdoptionCounts {
  readonly testers: number;
}

/** The adoption of a current release by the testers of its channel. */
export interface ReleaseAdoption extends Adoption {
  readonly releaseId: string;
  readonly channel: { readonly id: string; readonly name: string };
  readonly platform: Platform;
  readonly buildId: string;
  readonly version: string;
  readonly buildNumber: string | null;
  readonly releasedAt: Date;
  /** Whether devices can install the build from its link now. */
  readonly installable: boolean;
  /** Subscribers of the channel whom the release does not concern. */
  readonly otherPlatforms: number;
  /** When testers were last reminded of it, null before. */
  readonly remindedAt: Date | null;
}

/** The adoption of a build, in total and of each of its current releases. */
export interface BuildAdoption extends Adoption {
  readonly buildId: string;
  readonly releases: readonly ReleaseAdoption[];
}
