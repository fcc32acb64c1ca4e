import { type ProjectRole } from '#kernel/access/roles';

/** The removal of a member, for the modules that keep something of theirs. */
export interface MemberRemoval {
  readonly organizationId: string;
  readonly developerId: string;
  /** Whether the project access tokens that the member created or rotated last are revoked. */
  readonly revokeTokens: boolean;
}

/** A valid project access token that a removed member created or rotated last, so that they may know its value. */
export interface LeftToken {
  readonly id: string;
  readonly projectId: string;
  readonly projectName: string;
  readonly name: string;
  readonly role: ProjectRole;
  readonly last4: string;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly lastUsedAt: Date | null;
}
