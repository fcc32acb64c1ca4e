import { ORGANIZATION_ROLES, type OrganizationRole } from '#kernel/access/roles';
import { type Plan, PLANS } from '#modules/billing';
import { EnumField, EnumSetField, IdField, TextField, TimeField } from '#infra/http/dto/fields';

export class OrganizationResponse {
  @IdField()
  id: string;

  @TextField({ max: 100, example: 'Example Inc.' })
  name: string;

  @EnumField(PLANS, { name: 'Plan' })
  plan: Plan;

  @EnumSetField(ORGANIZATION_ROLES, { description: 'Your roles in it.', example: ['ADMIN'] })
  roles: OrganizationRole[];

  @TimeField()
  created_at: string;
}
