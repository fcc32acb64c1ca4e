import { useQuery } from '@tanstack/react-query';
import { projectQuery } from '../queries/organization/projects';

/** The name of a project that a row names by its id. */
export function ProjectName({ organizationId, projectId }: { organizationId: string; projectId: string }) {
  return useQuery(projectQuery({ organization_id: organizationId, project_id: projectId })).data?.name;
}
