import { PROJECT_ROLES, type ProjectRole } from '#kernel/access/roles';
import { BooleanField, EnumField, IdField, IntegerField, TextField, TimeField } from '#infra/http/dto/fields';
import { PageOf } from '#infra/http/dto/pagination';

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

export class ProjectAccessTokenResponse {
  @IdField()
  id: string;

  @IdField()
  organization_id: string;

  @IdField()
  project_id: string;

  @TextField({ max: 100, example: 'GitHub Actions' })
  name: string;

  @EnumField(PROJECT_ROLES, { name: 'ProjectRole', example: 'UPLOAD_BUILD' })
  role: ProjectRole;

  @TextField({ max: 4, description: 'The last characters of the token, to recognize it by.', example: 'x7Qa' })
  last4: string;

  @IdField({ nullable: true, description: 'The developer who created it; null when their account is deleted.' })
  created_by: string | null;

  @BooleanField({
    description:
      'Whether the developer who received the value (the creator, or the one who rotated it last) has left the organization. They may still know it: rotate or revoke the token.',
    example: false,
  })
  creator_left: boolean;

  @TimeField()
  created_at: string;

  @TimeField({ nullable: true })
  expires_at: string | null;

  @TimeField({ nullable: true, description: 'Exact to a minute.' })
  last_used_at: string | null;
}

export class NewProjectAccessTokenResponse extends ProjectAccessTokenResponse {
  @TextField({ max: 60, description: 'Shown only in this response.', example: 'ag_prj_…' })
  token: string;
}

export class ProjectAccessTokenPage extends PageOf(ProjectAccessTokenResponse) {}
