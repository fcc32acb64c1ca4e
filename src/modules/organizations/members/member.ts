import { type OrganizationRole } from '#kernel/access/roles';

/** A developer as a member of an organization. */
export interface Member {
  readonly developerId: string;
  readonly email: string;
  readonly name: string | null;
  readonly roles: readonly OrganizationRole[];
  readonly createdAt: Date;
}
