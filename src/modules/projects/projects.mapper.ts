import { type ProjectMemberResponse } from './members/dto/project-member.dto';
import { type ProjectMember } from './members/project-members.service';
import { type ProjectResponse } from './dto/project.response';
import { type Project } from './project';

export const toProjectMemberResponse = (member: ProjectMember): ProjectMemberResponse => ({
  developer_id: member.developerId,
  email: member.email,
  name: member.name,
  role: member.role,
  inherited_role: member.inheritedRole,
});

export const toProjectResponse = (project: Project): ProjectResponse => ({
  id: project.id,
  organization_id: project.organizationId,
  name: project.name,
  allow_any_bundle_id: project.allowAnyBundleId,
  language: project.language,
  created_at: project.createdAt.toISOString(),
});
