import { type OrganizationRole } from '#kernel/access/roles';
import { type Plan } from '#modules/billing';

export interface Organization {
  readonly id: string;
  readonly name: string;
  readonly plan: Plan;
  /** The roles of the developer who sent the request. */
  readonly roles: readonly OrganizationRole[];
  readonly createdAt: Date;
}
