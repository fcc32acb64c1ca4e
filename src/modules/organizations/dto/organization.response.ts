import { ApiSchema } from '@nestjs/swagger';
import { ORGANIZATION_ROLES, type OrganizationRole } from '#kernel/access/roles';
import { type Plan, PLANS } from '#modules/billing';
import { EnumField, EnumSetField, IdField, TextField, TimeField } from '#infra/http/dto/fields';

@ApiSchema({ description: 'A tenant: it owns projects, has members and is billed.' })
export class OrganizationResponse {
  @IdField({ of: 'organization' })
  id: string;

  @TextField({ max: 100, example: 'Example Inc.', description: 'The name of the organization.' })
  name: string;

  @EnumField(PLANS, { name: 'Plan', example: 'business', description: 'The plan that the organization is on.' })
  plan: Plan;

  @EnumSetField(ORGANIZATION_ROLES, { description: 'Your roles in it.', example: ['ADMIN'] })
  roles: OrganizationRole[];

  @TimeField({ example: '2026-11-02T09:20:05.118Z', description: 'When the organization was created.' })
  created_at: string;
}
