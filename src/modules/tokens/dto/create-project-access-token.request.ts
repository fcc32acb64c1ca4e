import { PROJECT_ROLES, type ProjectRole } from '#kernel/access/roles';
import { EnumField, IntegerField, TextField, TimeField } from '#infra/http/dto/fields';

export class CreateProjectAccessTokenRequest {
  @TextField({ max: 100, example: 'GitHub Actions' })
  name: string;

  @EnumField(PROJECT_ROLES, {
    name: 'ProjectRole',
    description: 'At most your own role in the project.',
    example: 'UPLOAD_BUILD',
  })
  role: ProjectRole;

  @TimeField({
    optional: true,
    nullable: true,
    description: 'Absent or null: the token is valid until it is revoked.',
    example: '2027-11-20T00:00:00.000Z',
  })
  expires_at?: string | null;
}

export class RotateProjectAccessTokenRequest {
  @IntegerField({
    min: 0,
    max: 86_400,
    optional: true,
    description: 'How long the old value stays valid. Default 0: it stops working at once.',
    example: 3600,
  })
  overlap_seconds?: number;
}
