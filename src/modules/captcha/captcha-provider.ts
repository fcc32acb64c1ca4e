import { type Challenge } from 'altcha-lib';
import { type RequestContext } from '#kernel/context/request-context';

/** An answer that was found right: what it was an answer to, and until when it could be given. */
export interface CaptchaProof {
  /** SHA-256 that names the challenge: two answers to one challenge have the same. */
  readonly digest: Buffer;
  readonly expiresAt: Date;
}

/**
 * How the service makes scripts pay for what anybody may do (contract §4). A provider makes challenges and judges
 * answers; it keeps nothing: that an answer counts once is the service's part, the same for every provider.
 */
export abstract class CaptchaProvider {
  /** @returns what a page has to solve, in ALTCHA's format; null: nothing is asked, now or ever. */
  abstract challenge(ctx: RequestContext): Promise<Challenge | null>;

  /** @returns null when the answer is malformed, wrong, expired, or to a challenge that is not ours. Never throws on input. */
  abstract verify(ctx: RequestContext, answer: string): Promise<CaptchaProof | null>;
}
