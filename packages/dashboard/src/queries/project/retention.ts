import { type RetentionResponse, type RetentionRuleRequest } from '@agate/client';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../session/api';
import { type ProjectScope } from '../../session/use-project-place';
import { keyOf } from '../keys';

export type Retention = RetentionResponse;

const requestOf = ({ organization_id, project_id }: ProjectScope) => ({
  path: { project_id },
  query: { organization_id },
});

export const retentionQuery = (scope: ProjectScope) =>
  queryOptions({
    queryKey: keyOf('retention', scope.project_id),
    queryFn: ({ signal }) => api.request('GET /projects/{project_id}/retention', { ...requestOf(scope), signal }),
  });

/** The builds that rules would delete now. The previous ones stay while others are counted. */
export const retentionPreviewQuery = (scope: ProjectScope, rules: readonly RetentionRuleRequest[]) =>
  queryOptions({
    queryKey: keyOf('retention-preview', scope.project_id, rules),
    refetchInterval: false,
    staleTime: 60_000,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      api.request('POST /projects/{project_id}/retention/preview', { ...requestOf(scope), body: { rules }, signal }),
  });

export interface RetentionChange {
  /** Absent: the rules stay as they are. */
  readonly rules?: readonly RetentionRuleRequest[];
  readonly enabled: boolean;
  /** Of the preview of the rules. */
  readonly fingerprint?: string;
}

export const setRetention = (scope: ProjectScope, change: RetentionChange): Promise<Retention> =>
  api.request('PUT /projects/{project_id}/retention', { ...requestOf(scope), body: change });
