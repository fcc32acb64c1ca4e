import { AppError } from '#kernel/errors/app-error';
import {
  type AzurePlace,
  type CustomerAccount,
  endpointOf,
  type S3Place,
  type StoreSettings,
} from '../accounts/storage-account';
import {
  type AzureAccountRequest,
  type AzurePlaceResponse,
  type ByosaCheckResponse,
  type ByosaDiagnosisResponse,
  type ByosaResponse,
  type PutByosaRequest,
  type S3AccountRequest,
  type S3PlaceResponse,
} from './byosa.dto';
import { type CheckResult, type Diagnosis } from './diagnosis/diagnosis';

/** @throws AppError validation_error unless the request names exactly one provider. */
export function toStoreSettings({ s3, azure }: PutByosaRequest): StoreSettings {
  if (s3 && !azure) return fromS3(s3);
  if (azure && !s3) return fromAzure(azure);
  throw AppError.validation([{ field: 's3', messages: ['s3 or azure must be given, and not both'] }]);
}

const fromS3 = ({ endpoint, region, bucket, ...rest }: S3AccountRequest): StoreSettings => ({
  provider: 's3',
  place: {
    ...(endpoint !== undefined && { endpoint: validEndpoint('s3', endpoint) }),
    region,
    bucket,
    forcePathStyle: rest.force_path_style ?? endpoint !== undefined,
  },
  credentials: { accessKeyId: rest.access_key_id, secretAccessKey: rest.secret_access_key },
});

const fromAzure = ({ endpoint, container, ...rest }: AzureAccountRequest): StoreSettings => ({
  provider: 'azure',
  place: {
    ...(endpoint !== undefined && { endpoint: validEndpoint('azure', endpoint) }),
    accountName: rest.account_name,
    container,
  },
  credentials: { accountKey: rest.account_key },
});

function validEndpoint(provider: 's3' | 'azure', endpoint: string): string {
  if (URL.canParse(endpoint)) return endpoint;
  throw AppError.validation([{ field: `${provider}.endpoint`, messages: ['must be a URL'] }]);
}

const NONE = {
  state: 'none',
  receives_artifacts: false,
  s3: null,
  azure: null,
  created_at: null,
  updated_at: null,
} as const;

export function toByosaResponse(organizationId: string, account: CustomerAccount | null): ByosaResponse {
  if (!account) return { organization_id: organizationId, ...NONE };
  const { provider, state, receives, createdAt, updatedAt } = account;
  return {
    organization_id: organizationId,
    state,
    receives_artifacts: receives,
    s3: provider === 's3' ? toS3(account) : null,
    azure: provider === 'azure' ? toAzure(account) : null,
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
  };
}

function toS3(account: CustomerAccount): S3PlaceResponse {
  const { region, bucket, forcePathStyle } = account.place as S3Place;
  return { endpoint: endpointOf(account), region, bucket, force_path_style: forcePathStyle };
}

function toAzure(account: CustomerAccount): AzurePlaceResponse {
  const { accountName, container } = account.place as AzurePlace;
  return { endpoint: endpointOf(account), account_name: accountName, container };
}

export const toDiagnosisResponse = ({ ok, checks }: Diagnosis): ByosaDiagnosisResponse => ({
  ok,
  checks: checks.map(toCheckResponse),
});

export const toCheckResponse = ({ name, status, message, reason, durationMs }: CheckResult): ByosaCheckResponse => ({
  name,
  status,
  message,
  reason,
  duration_ms: durationMs,
});
