import { useParams } from '@tanstack/react-router';

/** The project of the address, as the query parameters by which the API names it. */
export interface ProjectScope {
  readonly organization_id: string;
  readonly project_id: string;
}

/** The organization and project of the address. Only for screens of a project. */
export function useProjectPlace() {
  const { org, project } = useParams({ from: '/member/o/$org/p/$project' });
  return {
    organizationId: org,
    projectId: project,
    params: { org, project },
    scope: { organization_id: org, project_id: project },
  };
}
