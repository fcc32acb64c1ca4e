import { type CreateLinkRequest, type LinkResponse, type UpdateLinkRequest } from '@agate/client';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../session/api';
import { type ProjectScope } from '../../session/use-project-place';
import { PACE } from '../client';
import { keyOf } from '../keys';

export type Link = LinkResponse;

/** A build or channel that has links. */
export interface LinkTarget {
  readonly kind: 'build' | 'channel';
  readonly id: string;
}

const idOf = ({ kind, id }: LinkTarget) => (kind === 'build' ? { build_id: id } : { channel_id: id });

/** All links of a build or channel, which has at most 100: the default one first, then the newest. */
export const linksQuery = (scope: ProjectScope, target: LinkTarget) =>
  queryOptions({
    queryKey: keyOf('links', target.id),
    refetchInterval: PACE.counts,
    queryFn: async ({ signal }) => {
      const { items } = await api.request('GET /links', { query: { ...scope, ...idOf(target), limit: 100 }, signal });
      return [...items].sort((a, b) => Number(b.is_default) - Number(a.is_default));
    },
  });

/** An address that opens a link for half an hour. It is a secret, so it does not stay in the cache. */
export const linkGrantQuery = (scope: ProjectScope, linkId: string) =>
  queryOptions({
    queryKey: keyOf('link-grant', linkId),
    queryFn: ({ signal }) =>
      api.request('POST /links/{link_id}/grant', { path: { link_id: linkId }, query: scope, signal }),
    staleTime: Infinity,
    gcTime: 0,
    refetchInterval: false,
    refetchOnWindowFocus: false,
  });

export const createLink = (
  scope: ProjectScope,
  target: LinkTarget,
  draft: Omit<CreateLinkRequest, 'build_id' | 'channel_id'>,
): Promise<Link> => api.request('POST /links', { query: scope, body: { ...draft, ...idOf(target) } });

export const updateLink = (scope: ProjectScope, id: string, change: UpdateLinkRequest): Promise<Link> =>
  api.request('PATCH /links/{link_id}', { path: { link_id: id }, query: scope, body: change });

export const replaceLink = (scope: ProjectScope, id: string): Promise<Link> =>
  api.request('POST /links/{link_id}/rotate', { path: { link_id: id }, query: scope });

export const deleteLink = (scope: ProjectScope, id: string): Promise<undefined> =>
  api.request('DELETE /links/{link_id}', { path: { link_id: id }, query: scope });
