import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api } from '../session/api';

/** The projects of an organization with their summaries, page by page. */
export const projectsQuery = (organizationId: string, q = '') =>
  infiniteQueryOptions({
    queryKey: ['projects', organizationId, q],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      api.request('GET /projects', {
        query: { organization_id: organizationId, q, include: 'summary', limit: 50, cursor: pageParam },
        signal,
      }),
    getNextPageParam: (page) => page.next_cursor,
  });

/** The API looks projects up within their organization: without its id the answer is 400. */
export const projectQuery = (organizationId: string, projectId: string) =>
  queryOptions({
    queryKey: ['project', projectId],
    queryFn: ({ signal }) =>
      api.request('GET /projects/{project_id}', {
        path: { project_id: projectId },
        query: { organization_id: organizationId },
        signal,
      }),
  });

/** What is current in a project: counts, latest builds, downloads of 14 days, and the role of the caller. */
export const projectSummaryQuery = (organizationId: string, projectId: string) =>
  queryOptions({
    queryKey: ['project-summary', projectId],
    queryFn: ({ signal }) =>
      api.request('GET /projects/{project_id}/summary', {
        path: { project_id: projectId },
        query: { organization_id: organizationId },
        signal,
      }),
  });
