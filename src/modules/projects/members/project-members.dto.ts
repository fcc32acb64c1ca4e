import { ApiSchema } from '@nestjs/swagger';
import { PROJECT_ROLES, type ProjectRole } from '#kernel/access/roles';
import { EmailField, EnumField, IdField, TextField } from '#infra/http/dto/fields';
import { PageOf } from '#infra/http/dto/pagination';

@ApiSchema({ description: 'The role that a member is to have in the project.' })
export class PutProjectMemberRequest {
  @EnumField(PROJECT_ROLES, {
    name: 'ProjectRole',
    example: 'UPLOAD_BUILD',
    description: 'Replaces the role that the member had in the project.',
  })
  role: ProjectRole;
}

@ApiSchema({ description: "A member's own role in a project." })
export class ProjectMemberResponse {
  @IdField({ of: 'member', description: 'The member.' })
  developer_id: string;

  @EmailField({ example: 'bob@example.com', description: 'Their e-mail address.' })
  email: string;

  @TextField({ max: 100, nullable: true, example: 'Bob', description: 'Their name. `null` when they gave none.' })
  name: string | null;

  @EnumField(PROJECT_ROLES, {
    name: 'ProjectRole',
    example: 'UPLOAD_BUILD',
    description: 'The role that was given in the project. Organization roles can imply a higher one.',
  })
  role: ProjectRole;

  @EnumField(PROJECT_ROLES, {
    name: 'ProjectRole',
    nullable: true,
    example: 'VIEW_PROJECT',
    description:
      'The role that follows from their organization roles. `null` when none does. The higher of both roles applies.',
  })
  inherited_role: ProjectRole | null;
}

export class ProjectMemberPage extends PageOf(ProjectMemberResponse) {}
