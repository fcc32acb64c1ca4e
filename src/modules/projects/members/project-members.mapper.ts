import { type ProjectMemberResponse } from './dto/project-member.response';
import { type ProjectMember } from './project-members.service';

export const toProjectMemberResponse = ({ developerId, role }: ProjectMember): ProjectMemberResponse => ({
  developer_id: developerId,
  role,
});
