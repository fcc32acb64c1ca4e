import { type AccessFacts, type MemberRoles, type Parents } from '#kernel/access/policy';
import { type DeveloperIdentity, type DeveloperOwned, type PatIdentity } from '#kernel/context/identity';
import { type RequestContext } from '#kernel/context/request-context';

/** The developer of a credential, with their roles in the parents that a request names. */
export interface CredentialOwner extends Pick<DeveloperIdentity, 'developerId' | 'email' | 'emailVerified'> {
  readonly accessFacts: AccessFacts;
}

/** The session of an access token. */
export interface SessionView extends CredentialOwner {
  /** Access tokens that were issued before this time are invalid. */
  readonly minIssuedAt: Date;
  /** The database's clock, by which tokens are issued and expire. */
  readonly now: Date;
  /** Whether the session exists, belongs to the developer and was not revoked. */
  readonly hasSession: boolean;
}

/** A personal access token that was not revoked. It may have expired. */
export interface PersonalTokenView extends CredentialOwner, Pick<PatIdentity, 'organizationId' | 'scopes'> {
  readonly id: string;
  readonly expiresAt: Date | null;
  readonly lastUsedAt: Date | null;
}

/**
 * Reads credentials together with their developers and the roles of these. A read model implements it with one statement for each method,
 * because every request runs one of them. Nothing is cached, so that a revocation or the loss of a role takes effect on the next request.
 */
export abstract class CredentialViews {
  /**
   * The developer of an access token.
   * @param sessionId null for a token that names no session.
   * @returns null when the account does not exist or is suspended.
   */
  abstract ofSession(
    ctx: RequestContext,
    session: { readonly developerId: string; readonly sessionId: string | null },
    parents: Parents,
  ): Promise<SessionView | null>;

  /** Finds a personal access token by the digest of its value. Null also when the account of its developer is suspended. */
  abstract ofPersonalToken(ctx: RequestContext, digest: Buffer, parents: Parents): Promise<PersonalTokenView | null>;

  /**
   * The developer's roles in an organization and in one of its projects.
   * @param parents a project of null is not looked up.
   */
  abstract factsOf(ctx: RequestContext, parents: Parents, developerId: string): Promise<AccessFacts>;

  /** The developer's roles in an organization and in all of its projects. */
  abstract rolesOf(ctx: RequestContext, organizationId: string, developerId: string): Promise<MemberRoles>;

  /**
   * One text for each caller. It changes when their session ends, their token is revoked, rotated or deleted, or their account is
   * suspended.
   */
  abstract statesOf(ctx: RequestContext, callers: readonly DeveloperOwned[]): Promise<readonly string[]>;
}
