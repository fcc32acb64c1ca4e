import { type Request } from 'express';
import { type RequestContext } from '#kernel/context/request-context';

/** An Express request as the service knows it: with the context of whoever asks. */
export interface AppRequest extends Request {
  context: RequestContext;
  /** Why the body could not be read; told after authorization, like every other fault of a body. */
  bodyError?: unknown;
  /** The body as it came, byte for byte, where a header carries its sender's signature of it. */
  signedBody?: Buffer;
}
