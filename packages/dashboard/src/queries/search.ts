import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../session/api';
import { keyOf } from './keys';

/** The projects, builds, channels and testers of an organization that contain the words of `q`, up to five of each. */
export const searchQuery = (organizationId: string, q: string) =>
  queryOptions({
    queryKey: keyOf('search', organizationId, q),
    enabled: organizationId !== '' && q !== '',
    placeholderData: q === '' ? undefined : keepPreviousData,
    refetchInterval: false,
    queryFn: ({ signal }) => api.request('GET /search', { query: { organization_id: organizationId, q }, signal }),
  });
