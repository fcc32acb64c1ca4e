import { PROJECT_ROLES, type ProjectRole } from '#kernel/access/roles';
import { EnumField, IdField, TextField, TimeField } from '#infra/http/dto/fields';
import { PageOf } from '#infra/http/dto/pagination';

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
