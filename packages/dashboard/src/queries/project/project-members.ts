import { type ProjectMemberResponse, type ProjectRole } from '@agate/client';
import { infiniteQueryOptions } from '@tanstack/react-query';
import { api } from '../../session/api';
import { type ProjectScope } from '../../session/use-project-place';
import { byCursor } from '../by-cursor';
import { keyOf } from '../keys';

export type ProjectMember = ProjectMemberResponse;

/** The members with a role of their own in a project. Others can have access by their organization roles. */
export const projectMembersQuery = ({ organization_id, project_id }: ProjectScope) =>
  infiniteQueryOptions({
    queryKey: keyOf('project-members', project_id),
    ...byCursor,
    queryFn: ({ pageParam, signal }) =>
      api.request('GET /projects/{project_id}/members', {
        path: { project_id },
        query: { organization_id, limit: 50, cursor: pageParam },
        signal,
      }),
  });

/** Gives a member of the organization a role in the project, replacing an earlier one. */
export const putProjectMember = (
  { organization_id, project_id }: ProjectScope,
  developerId: string,
  role: ProjectRole,
): Promise<ProjectMember> =>
  api.request('PUT /projects/{project_id}/members/{developer_id}', {
    path: { project_id, developer_id: developerId },
    query: { organization_id },
    body: { role },
  });

export const removeProjectMember = (
  { organization_id, project_id }: ProjectScope,
  developerId: string,
): Promise<undefined> =>
  api.request('DELETE /projects/{project_id}/members/{developer_id}', {
    path: { project_id, developer_id: developerId },
    query: { organization_id },
  });
