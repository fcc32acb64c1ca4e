import { type ProjectRole } from '#kernel/access/roles';
import { type AccessToken } from '../lifetime/access-token';

export const TOKEN_KINDS = ['project_access_token', 'personal_access_token'] as const;
export type TokenKind = (typeof TOKEN_KINDS)[number];

/** Whether a value works now. `replaced`: a rotation has given the token another value. */
export const TOKEN_STATES = ['valid', 'replaced', 'expired', 'revoked'] as const;
export type TokenState = (typeof TOKEN_STATES)[number];

/** The token that a value belongs to. */
export interface IdentifiedToken extends AccessToken {
  readonly kind: TokenKind;
  readonly state: TokenState;
  /** Null for a personal access token. */
  readonly projectId: string | null;
  readonly projectName: string | null;
  readonly role: ProjectRole | null;
  /** The creator, or the developer that a personal access token acts for. Null after the account was deleted. */
  readonly developerLabel: string | null;
}
