import { type Routes } from '@agate/client';
import { type InfiniteData, infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { PACE } from '../client';
import { api } from '../../session/api';
import { type ProjectScope } from '../../session/use-project-place';

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

export type ProjectPages = InfiniteData<Routes['GET /projects']['response']>;

/** The pages of projects with another name of one of them. */
export const renamedIn = (pages: ProjectPages, id: string, name: string): ProjectPages => ({
  ...pages,
  pages: pages.pages.map((page) => ({
    ...page,
    items: page.items.map((project) => (project.id === id ? { ...project, name } : project)),
  })),
});

export const projectQuery = ({ organization_id, project_id }: ProjectScope) =>
  queryOptions({
    queryKey: ['project', project_id],
    queryFn: ({ signal }) =>
      api.request('GET /projects/{project_id}', { path: { project_id }, query: { organization_id }, signal }),
  });

/** What is current in a project: counts, latest builds, downloads of 14 days, and the role of the caller. */
export const projectSummaryQuery = ({ organization_id, project_id }: ProjectScope) =>
  queryOptions({
    queryKey: ['project-summary', project_id],
    refetchInterval: PACE.counts,
    queryFn: ({ signal }) =>
      api.request('GET /projects/{project_id}/summary', { path: { project_id }, query: { organization_id }, signal }),
  });
