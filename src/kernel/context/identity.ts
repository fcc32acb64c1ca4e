import { type PatScope, type ProjectRole } from '#kernel/access/roles';

/** A person with a login, by access JWT (header or cookie). */
export interface DeveloperIdentity {
  readonly kind: 'jwt';
  readonly developerId: string;
  readonly email: string;
  readonly emailVerified: boolean;
}

/** The same person through a personal access token: bound to one organization and a set of scopes. */
export interface PatIdentity {
  readonly kind: 'pat';
  readonly tokenId: string;
  readonly developerId: string;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly organizationId: string;
  readonly scopes: readonly PatScope[];
}

/** Automation: owned by a project, with a role in it. Not a developer. */
export interface ProjectTokenIdentity {
  readonly kind: 'project-token';
  readonly tokenId: string;
  readonly tokenName: string;
  readonly organizationId: string;
  readonly projectId: string;
  readonly role: ProjectRole;
}

/** Whoever holds an install link. */
export interface InviteIdentity {
  readonly kind: 'invite';
  readonly inviteId: string;
  /** Whose link it is; null for the link of a build or a channel, which anybody may hold. */
  readonly testerId: string | null;
  /** The channel whose link it is, or through which the build was reached. */
  readonly channelId: string | null;
}

/** Nobody in particular: public routes. */
export interface AnonymousIdentity {
  readonly kind: 'anonymous';
}

/** The service itself (jobs) or a person at its command line (operators). */
export interface SystemIdentity {
  readonly kind: 'system' | 'operator';
  readonly name: string;
}

/** The resolved result of authentication (specification §2: not stored). */
export type Identity =
  DeveloperIdentity | PatIdentity | ProjectTokenIdentity | InviteIdentity | AnonymousIdentity | SystemIdentity;
export type DeveloperOwned = DeveloperIdentity | PatIdentity;

export const ANONYMOUS: AnonymousIdentity = { kind: 'anonymous' };

export const isDeveloper = (identity: Identity): identity is DeveloperOwned =>
  identity.kind === 'jwt' || identity.kind === 'pat';

/** Who a credential belongs to, as rows remember it: a kind and an id. A personal access token is its developer. */
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
    default:
      return { kind: identity.kind, id: null };
  }
}

/** A stable name for the credential, or for the developer who is logged in: what rate limits are counted by (contract §15). */
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
    case 'anonymous':
      return 'anonymous';
    case 'system':
    case 'operator':
      return `${identity.kind}:${identity.name}`;
  }
}

/**
 * A stable name for who stands behind a credential, whatever others they get themselves: a developer through all their tokens, a
 * tester through all their links. What is held or kept for somebody is counted by it. The tokens of a project and the links of
 * builds and channels, which others hand out, are each somebody.
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
