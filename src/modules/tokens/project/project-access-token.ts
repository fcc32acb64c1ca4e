import { type ProjectRole } from '#kernel/access/roles';

export interface ProjectAccessToken {
  readonly id: string;
  readonly organizationId: string;
  readonly projectId: string;
  readonly name: string;
  readonly role: ProjectRole;
  readonly last4: string;
  readonly createdBy: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly lastUsedAt: Date | null;
  /** Whether the developer who received the value (the creator, or who rotated it last) is not a member of the organization. */
  readonly creatorLeft: boolean;
}

/** A token with its value, which only the response of its creation or rotation contains. */
export interface NewProjectAccessToken extends ProjectAccessToken {
  readonly token: string;
}
