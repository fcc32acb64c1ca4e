import { type Platform } from '#kernel/builds/platform';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';

/** The app that a project accepts for a platform. */
export interface BundleIdRule {
  /** Whether the project allows builds of any app. */
  readonly allowsAny: boolean;
  /** Null before the first build of the platform. */
  readonly pinned: string | null;
}

/** Reads which app a project accepts: the setting of the project and its first build decide it. A read model implements it. */
export abstract class BundleIds {
  /** Null when there is no such project. */
  abstract find(ctx: RequestContext, scope: ProjectScope, platform: Platform): Promise<BundleIdRule | null>;
}
