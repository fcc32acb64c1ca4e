import { type ProjectMemberResponse } from './members/dto/project-member.dto';
import { type ProjectMember } from './members/project-members.service';
import { type ProjectResponse } from './dto/project.response';
import { type Project } from './project';

export const toProjectMemberResponse = ({ developerId, role }: ProjectMember): ProjectMemberResponse => ({
  developer_id: developerId,
  role,
});

export const toProjectResponse = (project: Project): ProjectResponse => ({
  id: project.id,
  organization_id: project.organizationId,
  name: project.name,
  allow_any_bundle_id: project.allowAnyBundleId,
  language: project.language,
  created_at: project.createdAt.toISOString(),
});
