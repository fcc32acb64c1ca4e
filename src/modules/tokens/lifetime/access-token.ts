import { digestOf, newToken, type TokenPrefix } from '#kernel/access/token-format';
import { type RequestContext } from '#kernel/context/request-context';
import { newId } from '#kernel/ids';
import { type AccessTokenEntity } from './access-token.entity';

/** An access token of any kind, without its value. */
export interface AccessToken {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  readonly last4: string;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly lastUsedAt: Date | null;
}

/** A token with its value, which only the response of its creation or rotation contains. */
export type WithValue<Token extends AccessToken> = Token & { readonly token: string };

interface NewValue {
  readonly token: string;
  readonly stored: Pick<AccessTokenEntity, 'digest' | 'last4'>;
}

/** A new value of a token, and the columns by which the value is recognized. */
export function newValue(prefix: TokenPrefix): NewValue {
  const token = newToken(prefix);
  return { token, stored: { digest: digestOf(token), last4: token.slice(-4) } };
}

/** The columns of a new token that its creator does not choose. */
export const newRow = (
  tx: RequestContext,
  { stored }: NewValue,
): Pick<AccessTokenEntity, 'id' | 'digest' | 'last4' | 'createdAt' | 'revokedAt' | 'lastUsedAt'> => ({
  id: newId(),
  ...stored,
  createdAt: tx.clock.now(),
  revokedAt: null,
  lastUsedAt: null,
});
