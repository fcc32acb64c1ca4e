import { type Identity } from '#kernel/context/identity';
import { type AccessFacts } from './policy';

/** The result of authentication. */
export interface Caller<I extends Identity = Identity> {
  readonly identity: I;
  /** The roles of a developer, read together with the credential. Undefined for other callers. */
  readonly accessFacts?: AccessFacts;
}
