import {
  type ByosaCheckResponse,
  type ByosaDiagnosisResponse,
  type ByosaResponse,
  type PutByosaRequest,
} from '@agate/client';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../session/api';
import { keyOf } from '../keys';

export type OwnStorage = ByosaResponse;
export type StorageCheck = ByosaCheckResponse;
export type StorageSettings = PutByosaRequest;

const placeOf = (organizationId: string) => ({ organization_id: organizationId });

/** The storage account of an organization, without its secrets. */
export const ownStorageQuery = (organizationId: string) =>
  queryOptions({
    queryKey: keyOf('own-storage', organizationId),
    queryFn: ({ signal }) =>
      api.request('GET /organizations/{organization_id}/byosa', { path: placeOf(organizationId), signal }),
  });

/** Runs the checks with the settings and saves them when all passed. */
export const saveOwnStorage = (organizationId: string, settings: StorageSettings): Promise<OwnStorage> =>
  api.request('PUT /organizations/{organization_id}/byosa', { path: placeOf(organizationId), body: settings });

export const diagnoseOwnStorage = (organizationId: string): Promise<ByosaDiagnosisResponse> =>
  api.request('POST /organizations/{organization_id}/byosa/diagnose', { path: placeOf(organizationId) });

export const stopOwnStorage = (organizationId: string): Promise<undefined> =>
  api.request('DELETE /organizations/{organization_id}/byosa', { path: placeOf(organizationId) });
