import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { type RuledToken } from '#modules/install-links';
import { type Build } from '../build';

/** A build and its install link. */
export interface LinkedBuild {
  readonly build: Build;
  /** Null while the build is being deleted. */
  readonly link: RuledToken | null;
}

/** Reads a build together with its link, because most requests need both. A read model implements it. */
export abstract class LinkedBuilds {
  /** Null when the project has no such build. */
  abstract find(ctx: RequestContext, scope: ProjectScope, id: string): Promise<LinkedBuild | null>;
}
