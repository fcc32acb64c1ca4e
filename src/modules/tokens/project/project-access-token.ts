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
}

/** A token with its value, which only the response of its creation or rotation contains. */
export interface NewProjectAccessToken extends ProjectAccessToken {
  readonly token: string;
}
