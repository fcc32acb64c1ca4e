import { type RequestContext } from '#kernel/context/request-context';

/** Answers whether the hosted store holds artifacts. A read model implements it, because upper modules own them. */
export abstract class HostedArtifacts {
  /** Whether a build has a file in the hosted store. */
  abstract exist(ctx: RequestContext): Promise<boolean>;
}
