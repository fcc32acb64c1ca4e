import { type RequestOf, type ResponseOf } from '@agate/client';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../session/api';
import { keyOf } from '../keys';

export type Branding = ResponseOf<'GET /organizations/{organization_id}/branding'>;
export type BrandingDraft = NonNullable<RequestOf<'PUT /organizations/{organization_id}/branding'>['body']>;

/** What testers see of the organization. */
export const brandingQuery = (organizationId: string) =>
  queryOptions({
    queryKey: keyOf('branding', organizationId),
    queryFn: ({ signal }) =>
      api.request('GET /organizations/{organization_id}/branding', {
        path: { organization_id: organizationId },
        signal,
      }),
  });

/** Replaces the whole branding. */
export const setBranding = (organizationId: string, body: BrandingDraft): Promise<Branding> =>
  api.request('PUT /organizations/{organization_id}/branding', { path: { organization_id: organizationId }, body });
