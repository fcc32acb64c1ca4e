import { type Request } from 'express';
import { type AccessFacts } from '#kernel/access/policy';
import { type RequestContext } from '#kernel/context/request-context';

/** An Express request with the state that the service keeps on it. */
export interface AppRequest extends Request {
  context: RequestContext;
  /**
   * The developer's roles in the parents that the route needs, read together with the credential. Only the access guard uses them: later
   * checks of a request, such as those in its transaction, read the roles again. Undefined for other credentials than a developer's.
   */
  accessFacts?: AccessFacts;
  /** Parses a body that is too large for callers who are not authorized. `BodyErrorGuard` calls it after authorization. */
  parseBody?: () => Promise<void>;
  /** The error of the body parser. `BodyErrorGuard` throws it after authorization, like every other input error. */
  bodyError?: unknown;
  /** The grant in the path of an install link, which `grantInPath` has removed from the path. */
  linkGrant?: string;
  /** The raw bytes of a webhook's body, kept to verify its signature. */
  signedBody?: Buffer;
}
