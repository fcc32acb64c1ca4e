import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import { IsDefined, IsObject, ValidateIf, ValidateNested } from 'class-validator';
import { BooleanField, EnumField, IdField, IntegerField, TextField, TimeField } from '#infra/http/dto/fields';
import { ACCOUNT_STATES, type AccountState } from '../accounts/storage-account';
import { CHECK_NAMES, CHECK_REASONS, CHECK_STATUSES, type CheckReason, type CheckResult } from './diagnosis/diagnosis';

/** Excludes characters that end a field of an Azure connection string, user info and a query. */
const ENDPOINT = /^https?:\/\/[^\s;@?#]+$/;
const SECRET = /^[!-~]+$/;

const EndpointField = (provider: string): PropertyDecorator =>
  TextField({
    max: 300,
    pattern: ENDPOINT,
    optional: true,
    example: 'https://objects.example.com',
    description: `The URL of the store. Default: ${provider}.`,
  });

@ApiSchema({
  description:
    'A bucket of a store with the S3 API, and credentials that may read, write, list and delete objects in it.',
})
export class S3AccountRequest {
  @EndpointField('Amazon S3 in the region')
  endpoint?: string;

  @TextField({
    max: 64,
    pattern: /^[a-zA-Z0-9-]+$/,
    example: 'eu-central-1',
    description: 'The region of the bucket. Stores without regions accept any, for example `us-east-1`.',
  })
  region: string;

  @TextField({
    min: 3,
    max: 63,
    pattern: /^[a-zA-Z0-9][a-zA-Z0-9._-]+$/,
    example: 'acme-builds',
    description: 'The name of the bucket. It must exist. Use one for Agate alone.',
  })
  bucket: string;

  @BooleanField({
    optional: true,
    description:
      'Whether the bucket is in the path instead of the host name. Default: true with an endpoint, else false.',
  })
  force_path_style?: boolean;

  @TextField({ max: 128, pattern: SECRET, example: 'AKIAIOSFODNN7EXAMPLE', description: 'The id of the access key.' })
  access_key_id: string;

  @TextField({
    max: 256,
    pattern: SECRET,
    example: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
    description: 'The secret of the access key. It is stored encrypted and never returned.',
  })
  secret_access_key: string;
}

@ApiSchema({ description: 'A container of Azure Blob Storage, and a key of its account.' })
export class AzureAccountRequest {
  @EndpointField("the account's endpoint in the Azure public cloud")
  endpoint?: string;

  @TextField({
    min: 3,
    max: 24,
    pattern: /^[a-z0-9]+$/,
    example: 'acmebuilds',
    description: 'The name of the storage account.',
  })
  account_name: string;

  @TextField({
    min: 3,
    max: 63,
    pattern: /^[a-z0-9]+(-[a-z0-9]+)*$/,
    example: 'builds',
    description: 'The name of the container. It must exist. Use one for Agate alone.',
  })
  container: string;

  @TextField({
    max: 128,
    pattern: /^[A-Za-z0-9+/]+={0,2}$/,
    example: 'bm90IGEga2V5LCBidXQgaXQgbG9va3MgbGlrZSBvbmU=',
    description: 'A key of the storage account, in base64. It is stored encrypted and never returned.',
  })
  account_key: string;
}

/** Makes an array invalid as a whole. `ValidateNested` would validate each of its items. */
const SingleObject = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) => (Array.isArray(value) ? false : value));

@ApiSchema({ description: 'A storage account: exactly one of `s3` and `azure`.' })
export class PutByosaRequest {
  @ApiPropertyOptional({ type: S3AccountRequest, description: 'A bucket of a store with the S3 API.' })
  @ValidateIf(({ azure }: PutByosaRequest) => azure === undefined)
  @IsDefined({ message: 's3 or azure must be given, and not both' })
  @SingleObject()
  @IsObject()
  @ValidateNested()
  @Type(() => S3AccountRequest)
  s3?: S3AccountRequest;

  @ApiPropertyOptional({ type: AzureAccountRequest, description: 'A container of Azure Blob Storage.' })
  @ValidateIf(({ s3, azure }: PutByosaRequest) => azure !== undefined && s3 === undefined)
  @SingleObject()
  @IsObject()
  @ValidateNested()
  @Type(() => AzureAccountRequest)
  azure?: AzureAccountRequest;
}

@ApiSchema({ description: 'The place of a bucket, without credentials.' })
export class S3PlaceResponse {
  @TextField({
    max: 300,
    example: 'https://s3.eu-central-1.amazonaws.com',
    description: 'The URL that requests are sent to.',
  })
  endpoint: string;

  @TextField({ max: 64, example: 'eu-central-1', description: 'The region of the bucket.' })
  region: string;

  @TextField({ max: 63, example: 'acme-builds', description: 'The name of the bucket.' })
  bucket: string;

  @BooleanField({ example: false, description: 'Whether the bucket is in the path instead of the host name.' })
  force_path_style: boolean;
}

@ApiSchema({ description: 'The place of a container, without credentials.' })
export class AzurePlaceResponse {
  @TextField({
    max: 300,
    example: 'https://acmebuilds.blob.core.windows.net',
    description: 'The URL that requests are sent to.',
  })
  endpoint: string;

  @TextField({ max: 24, example: 'acmebuilds', description: 'The name of the storage account.' })
  account_name: string;

  @TextField({ max: 63, example: 'builds', description: 'The name of the container.' })
  container: string;
}

@ApiSchema({ description: "An organization's own storage account, without its secrets." })
export class ByosaResponse {
  @IdField({ of: 'organization' })
  organization_id: string;

  @EnumField(['none', ...ACCOUNT_STATES], {
    name: 'ByosaState',
    example: 'configured',
    description: '`none` when no account is configured.',
  })
  state: 'none' | AccountState;

  @BooleanField({
    example: false,
    description: 'Whether new artifacts are stored there. Artifacts in this account are not metered.',
  })
  receives_artifacts: boolean;

  @ApiProperty({
    type: S3PlaceResponse,
    nullable: true,
    description: 'The bucket. `null` when there is no account, or it is an Azure account.',
  })
  s3: S3PlaceResponse | null;

  @ApiProperty({
    type: AzurePlaceResponse,
    nullable: true,
    example: null,
    description: 'The container. `null` when there is no account, or it is an S3 bucket.',
  })
  azure: AzurePlaceResponse | null;

  @TimeField({
    nullable: true,
    example: '2026-11-04T13:20:00.000Z',
    description: 'When the account was configured. `null` when there is none.',
  })
  created_at: string | null;

  @TimeField({
    nullable: true,
    example: '2026-11-04T13:20:00.000Z',
    description: 'When its credentials or its state last changed. `null` when there is none.',
  })
  updated_at: string | null;
}

@ApiSchema({ description: 'The result of one check of a storage account.' })
export class ByosaCheckResponse {
  @EnumField(CHECK_NAMES, { name: 'ByosaCheckName', example: 'authenticate', description: 'What was checked.' })
  name: CheckResult['name'];

  @EnumField(CHECK_STATUSES, { name: 'ByosaCheckStatus', example: 'passed', description: 'The result.' })
  status: CheckResult['status'];

  @TextField({ max: 500, example: 'Good.', description: 'For a failed check: how to fix it.' })
  message: string;

  @EnumField(CHECK_REASONS, {
    name: 'ByosaCheckReason',
    nullable: true,
    example: null,
    description: 'Why a failed check failed. `null` for other checks.',
  })
  reason: CheckReason | null;

  @IntegerField({
    min: 0,
    example: 100,
    description: 'How long the check took, in milliseconds, rounded up to a multiple of 100.',
  })
  duration_ms: number;
}

@ApiSchema({ description: 'The results of all checks of a storage account.' })
export class ByosaDiagnosisResponse {
  @BooleanField({ description: 'Whether no check failed.' })
  ok: boolean;

  @ApiProperty({
    type: [ByosaCheckResponse],
    description: 'All checks, in the order in which they ran. After a failure the rest are `skipped`.',
  })
  checks: ByosaCheckResponse[];
}
