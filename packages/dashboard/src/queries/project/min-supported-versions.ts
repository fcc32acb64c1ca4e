import { type MinSupportedResponse } from '@agate/client';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../session/api';
import { type ProjectScope } from '../../session/use-project-place';
import { keyOf } from '../keys';

export type MinSupportedVersions = MinSupportedResponse;

const ROUTE = '/projects/{project_id}/min-supported-versions';
const ofProject = ({ organization_id, project_id }: ProjectScope) => ({
  path: { project_id },
  query: { organization_id },
});

/** The lowest version of each platform that a project still supports. */
export const minSupportedVersionsQuery = (scope: ProjectScope) =>
  queryOptions({
    queryKey: keyOf('min-supported-versions', scope.project_id),
    queryFn: ({ signal }) => api.request(`GET ${ROUTE}`, { ...ofProject(scope), signal }),
  });

export const changeMinSupportedVersions = (
  scope: ProjectScope,
  body: MinSupportedVersions,
): Promise<MinSupportedVersions> => api.request(`PATCH ${ROUTE}`, { ...ofProject(scope), body });
