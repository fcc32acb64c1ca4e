import { PROJECT_ROLES, type ProjectRole } from '#kernel/access/roles';
import { EnumField, IntegerField, TextField, TimeField } from '#infra/http/dto/fields';

export class CreateProjectAccessTokenRequest {
  @TextField({ max: 100, example: 'GitHub Actions' })
  name: string;

  @EnumField(PROJECT_ROLES, {
    name: 'ProjectRole',
    description: 'Not above your own role in the project.',
    example: 'UPLOAD_BUILD',
  })
  role: ProjectRole;

  @TimeField({
    optional: true,
    nullable: true,
    description: 'Absent or null: valid until revoked.',
    example: '2027-11-20T00:00:00.000Z',
  })
  expires_at?: string | null;
}

export class RotateProjectAccessTokenRequest {
  @IntegerField({
    min: 0,
    max: 86_400,
    optional: true,
    description: 'How long the old value works on. Default 0: not at all.',
    example: 3600,
  })
  overlap_seconds?: number;
}
