import { PROJECT_ROLES, type ProjectRole } from '#kernel/access/roles';
import { EnumField, IdField } from '#infra/http/dto/fields';
import { PageOf } from '#infra/http/dto/pagination';

export class PutProjectMemberRequest {
  @EnumField(PROJECT_ROLES, { name: 'ProjectRole', example: 'UPLOAD_BUILD' })
  role: ProjectRole;
}

export class ProjectMemberResponse {
  @IdField()
  developer_id: string;

  @EnumField(PROJECT_ROLES, { name: 'ProjectRole', example: 'UPLOAD_BUILD' })
  role: ProjectRole;
}

export class ProjectMemberPage extends PageOf(ProjectMemberResponse) {}
