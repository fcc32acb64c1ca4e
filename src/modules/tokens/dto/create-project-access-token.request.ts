import { PROJECT_ROLES, type ProjectRole } from '#kernel/access/roles';
import { EnumField, TextField, TimeField } from '#platform/http/fields';

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
