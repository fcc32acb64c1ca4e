import { ApiSchema } from '@nestjs/swagger';
import { ORGANIZATION_ROLES, type OrganizationRole } from '#kernel/access/roles';
import { EnumField, EnumSetField, IdField, TextField, TimeField } from '#infra/http/dto/fields';
import { type Plan, PLANS } from '#modules/billing';

@ApiSchema({ description: 'A new organization.' })
export class CreateOrganizationRequest {
  @TextField({
    max: 100,
    example: 'Example Inc.',
    description: 'The name of the organization. It need not be unique. Testers see it on install pages and in mails.',
  })
  name: string;
}

@ApiSchema({ description: 'Changes of an organization. Absent fields stay as they are.' })
export class UpdateOrganizationRequest {
  @TextField({
    max: 100,
    optional: true,
    example: 'Example Inc.',
    description: 'The name of the organization. It need not be unique. Testers see it on install pages and in mails.',
  })
  name?: string;
}

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
