import {
  type ListedProjectResponse,
  type ProjectResponse,
  type ProjectSummaryResponse,
  type Routes,
} from '@agate/client';
import {
  type InfiniteData,
  infiniteQueryOptions,
  type QueryClient,
  type QueryKey,
  queryOptions,
} from '@tanstack/react-query';
import { api } from '../../session/api';
import { type ProjectScope } from '../../session/use-project-place';
import { byCursor } from '../by-cursor';
import { PACE } from '../client';
import { keyOf } from '../keys';

/** The projects of an organization with their summaries, page by page. */
export const projectsQuery = (organizationId: string, q = '') =>
  infiniteQueryOptions({
    queryKey: keyOf('projects', organizationId, q),
    ...byCursor,
    queryFn: ({ pageParam, signal }) =>
      api.request('GET /projects', {
        query: { organization_id: organizationId, q, include: 'summary', limit: 50, cursor: pageParam },
        signal,
      }),
  });

export type ProjectPages = InfiniteData<Routes['GET /projects']['response']>;

/** The pages of projects after the name of one project has changed. */
export const renamedIn = (pages: ProjectPages, id: string, name: string): ProjectPages => ({
  ...pages,
  pages: pages.pages.map((page) => ({
    ...page,
    items: page.items.map((project) => (project.id === id ? { ...project, name } : project)),
  })),
});

/** The maximum age of the navigation's list at which its data counts as current. */
const FRESH_MS = 5_000;

/**
 * The project in the list of the navigation, which is loaded with every screen, so the first screen of a project needs no requests for the
 * project and its summary. Undefined when the query already has data and must be refetched, and when the list lacks the project.
 */
async function findListed(
  client: QueryClient,
  { organization_id, project_id }: ProjectScope,
  queryKey: QueryKey,
): Promise<ListedProjectResponse | undefined> {
  if (client.getQueryData(queryKey) !== undefined) return undefined;
  const list = projectsQuery(organization_id);
  const state = client.getQueryState(list.queryKey);
  const isOld = state?.data !== undefined && Date.now() - state.dataUpdatedAt > FRESH_MS;
  if (isOld && state.fetchStatus === 'idle') return undefined;
  const data = await client.fetchInfiniteQuery(list).catch(() => undefined);
  return data?.pages.flatMap(({ items }) => items).find(({ id }) => id === project_id);
}

export const projectQuery = ({ organization_id, project_id }: ProjectScope) =>
  queryOptions({
    queryKey: keyOf('project', project_id),
    queryFn: async ({ client, queryKey, signal }): Promise<ProjectResponse> =>
      (await findListed(client, { organization_id, project_id }, queryKey)) ??
      api.request('GET /projects/{project_id}', { path: { project_id }, query: { organization_id }, signal }),
  });

/** The summary of a project: counts, latest builds, downloads of 14 days, and the role of the caller. */
export const projectSummaryQuery = ({ organization_id, project_id }: ProjectScope) =>
  queryOptions({
    queryKey: keyOf('project-summary', project_id),
    refetchInterval: PACE.counts,
    queryFn: async ({ client, queryKey, signal }): Promise<ProjectSummaryResponse> =>
      (await findListed(client, { organization_id, project_id }, queryKey))?.summary ??
      api.request('GET /projects/{project_id}/summary', { path: { project_id }, query: { organization_id }, signal }),
  });
