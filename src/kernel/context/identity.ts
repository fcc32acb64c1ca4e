import { type PatScope, type ProjectRole } from '#kernel/access/roles';

/** A developer who authenticated with an access JWT (header or cookie). */
export interface DeveloperIdentity {
  readonly kind: 'jwt';
  readonly developerId: string;
  readonly email: string;
  readonly emailVerified: boolean;
  /** The session that issued the token. Absent or null for a token of an earlier release. */
  readonly sessionId?: string | null;
}

/** A developer who authenticated with a personal access token, which is bound to one organization and a set of scopes. */
export interface PatIdentity {
  readonly kind: 'pat';
  readonly tokenId: string;
  readonly developerId: string;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly organizationId: string;
  readonly scopes: readonly PatScope[];
}

/** A project access token for automation. It belongs to a project and has a role in it; it is not a developer. */
export interface ProjectTokenIdentity {
  readonly kind: 'project-token';
  readonly tokenId: string;
  readonly tokenName: string;
  readonly organizationId: string;
  readonly projectId: string;
  readonly role: ProjectRole;
}

/** The bearer of an install link. */
export interface InviteIdentity {
  readonly kind: 'invite';
  readonly inviteId: string;
  /** The tester who owns the link. Null for a link of a build or channel, which any number of people may share. */
  readonly testerId: string | null;
  /** The channel of the link, or the channel through which the build was found. Null for a direct link to a build. */
  readonly channelId: string | null;
  /** The digest of the token and the version of the rules, which a ticket checks. Absent for a tester's link, which does not change. */
  readonly state?: { readonly digest: Buffer; readonly ruleVersion: number | null };
}

/** An installed app, by the update key that it contains. Any number of apps share it. */
export interface UpdateKeyIdentity {
  readonly kind: 'update-key';
  readonly updateKeyId: string;
  /** The digest of the key's value, which a rotation replaces. */
  readonly digest: Buffer;
  /** Null for the key of a whole project. */
  readonly channelId: string | null;
}

/** An unauthenticated caller of a public route. */
export interface AnonymousIdentity {
  readonly kind: 'anonymous';
}

/** A job (`system`), or a person at the operator command line (`operator`). */
export interface SystemIdentity {
  readonly kind: 'system' | 'operator';
  readonly name: string;
}

/** The result of authentication. It is not stored. */
export type Identity =
  | DeveloperIdentity
  | PatIdentity
  | ProjectTokenIdentity
  | InviteIdentity
  | UpdateKeyIdentity
  | AnonymousIdentity
  | SystemIdentity;
export type DeveloperOwned = DeveloperIdentity | PatIdentity;

export const ANONYMOUS: AnonymousIdentity = { kind: 'anonymous' };

export const isDeveloper = (identity: Identity): identity is DeveloperOwned =>
  identity.kind === 'jwt' || identity.kind === 'pat';

/** Whether the caller is known only by a link or key, which other people may have, too. */
export const isWithoutAccount = (identity: Identity): identity is InviteIdentity | UpdateKeyIdentity =>
  identity.kind === 'invite' || identity.kind === 'update-key';

/** The owner of a credential as it is stored in rows: a kind and an id. A personal access token belongs to its developer. */
export interface Owner {
  readonly kind: string;
  readonly id: string | null;
}

export function ownerOf(identity: Identity): Owner {
  switch (identity.kind) {
    case 'jwt':
    case 'pat':
      return { kind: 'developer', id: identity.developerId };
    case 'project-token':
      return { kind: 'project_access_token', id: identity.tokenId };
    case 'invite':
      return { kind: 'invite', id: identity.inviteId };
    case 'update-key':
      return { kind: 'update_key', id: identity.updateKeyId };
    default:
      return { kind: identity.kind, id: null };
  }
}

/** A stable key of the credential, or of the logged-in developer. */
export function principalOf(identity: Identity): string {
  switch (identity.kind) {
    case 'jwt':
      return `developer:${identity.developerId}`;
    case 'pat':
      return `pat:${identity.tokenId}`;
    case 'project-token':
      return `project-token:${identity.tokenId}`;
    case 'invite':
      return `invite:${identity.inviteId}`;
    case 'update-key':
      return `update-key:${identity.updateKeyId}`;
    case 'anonymous':
      return 'anonymous';
    case 'system':
    case 'operator':
      return `${identity.kind}:${identity.name}`;
  }
}

/**
 * A stable key of the account behind a credential, by which rate limits are counted: the developer for all their logins and tokens, the
 * project for all its tokens, so that creating more credentials gives no more requests. `null` for the holder of an install link or update
 * key, which any number of people may share, and for anonymous callers.
 */
export function accountOf(identity: Identity): string | null {
  switch (identity.kind) {
    case 'jwt':
    case 'pat':
      return `developer:${identity.developerId}`;
    case 'project-token':
      return `project:${identity.projectId}`;
    default:
      return null;
  }
}

/**
 * A stable key of the owner behind a credential, which creating more credentials does not change: a developer for all their
 * tokens, a tester for all their links. Quotas are counted by it. Project access tokens and links of builds and channels
 * count individually, because their holders do not create them.
 */
export function quotaSubjectOf(identity: Identity): string {
  switch (identity.kind) {
    case 'jwt':
    case 'pat':
      return `developer:${identity.developerId}`;
    case 'invite':
      return identity.testerId === null ? principalOf(identity) : `tester:${identity.testerId}`;
    default:
      return principalOf(identity);
  }
}
