import { queryOptions } from '@tanstack/react-query';
import { api } from '../../session/api';
import { type ProjectScope } from '../../session/use-project-place';
import { keyOf } from '../keys';

/** The signature of a build for its updater; null without one. */
export const updateSignatureQuery = (scope: ProjectScope, buildId: string) =>
  queryOptions({
    queryKey: keyOf('update-signature', buildId),
    queryFn: async ({ signal }) => {
      const request = { path: { build_id: buildId }, query: scope, signal };
      return (await api.request('GET /builds/{build_id}/update-signature', request)).signature;
    },
  });

export const putUpdateSignature = async (
  scope: ProjectScope,
  buildId: string,
  signature: string | null,
): Promise<string | null> =>
  (
    await api.request('PUT /builds/{build_id}/update-signature', {
      path: { build_id: buildId },
      query: scope,
      body: { signature },
    })
  ).signature;
