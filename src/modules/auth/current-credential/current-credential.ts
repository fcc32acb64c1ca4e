import { type PatScope, type ProjectRole } from '#kernel/access/roles';
import { type Developer } from '#modules/developers';
import { type OrganizationSummary } from '#modules/organizations';

export const CREDENTIAL_KINDS = ['session', 'personal_access_token', 'project_access_token'] as const;
export type CredentialKindName = (typeof CREDENTIAL_KINDS)[number];

/** What the credential of a request is, and what it may do. */
export interface CurrentCredential {
  readonly kind: CredentialKindName;
  /** Id of the token; of the session for a session. Null for a session of an earlier release. */
  readonly id: string | null;
  /** Null for a session. */
  readonly name: string | null;
  /** Whom the credential acts for. Null for a project access token, which acts for itself. */
  readonly developer: Developer | null;
  /** The organization that the token is bound to. Null for a session, which is bound to none. */
  readonly organization: OrganizationSummary | null;
  /** Null unless it is a project access token. */
  readonly project: { readonly id: string; readonly name: string } | null;
  /** Null unless it is a project access token. */
  readonly role: ProjectRole | null;
  /** Null unless it is a personal access token. */
  readonly scopes: readonly PatScope[] | null;
  /** Null when it is valid until it is revoked. */
  readonly expiresAt: Date | null;
}
