import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { BooleanField, EnumField, IdField, IntegerField, TextField, TimeField } from '#infra/http/dto/fields';
import { ACCOUNT_STATES, type AccountState } from '../../accounts/storage-account';
import { CHECK_NAMES, CHECK_REASONS, CHECK_STATUSES, type CheckReason, type CheckResult } from '../diagnosis/diagnosis';

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
