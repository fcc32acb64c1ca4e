import { type OrganizationResponse } from './dto/organization.response';
import { type Organization } from './organization';

export const toOrganizationResponse = ({ id, name, plan, roles, createdAt }: Organization): OrganizationResponse => ({
  id,
  name,
  plan,
  roles: [...roles],
  created_at: createdAt.toISOString(),
});
