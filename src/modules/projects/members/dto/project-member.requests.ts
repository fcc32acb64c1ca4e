import { PROJECT_ROLES, type ProjectRole } from '#kernel/access/roles';
import { EnumField } from '#infra/http/dto/fields';

export class PutProjectMemberRequest {
  @EnumField(PROJECT_ROLES, { name: 'ProjectRole', example: 'UPLOAD_BUILD' })
  role: ProjectRole;
}
