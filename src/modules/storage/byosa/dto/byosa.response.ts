import { ApiProperty } from '@nestjs/swagger';
import { BooleanField, EnumField, IdField, IntegerField, TextField, TimeField } from '#infra/http/dto/fields';
import { ACCOUNT_STATES, type AccountState } from '../../accounts/storage-account';
import { CHECK_NAMES, CHECK_STATUSES, type CheckResult } from '../diagnosis/diagnosis';

export class S3PlaceResponse {
  @TextField({ max: 300, example: 'https://s3.eu-central-1.amazonaws.com' })
  endpoint: string;

  @TextField({ max: 64, example: 'eu-central-1' })
  region: string;

  @TextField({ max: 63, example: 'acme-builds' })
  bucket: string;

  @BooleanField()
  force_path_style: boolean;
}

export class AzurePlaceResponse {
  @TextField({ max: 300, example: 'https://acmebuilds.blob.core.windows.net' })
  endpoint: string;

  @TextField({ max: 24, example: 'acmebuilds' })
  account_name: string;

  @TextField({ max: 63, example: 'builds' })
  container: string;
}

/** An organization's own storage account, without its secrets. */
export class ByosaResponse {
  @IdField()
  organization_id: string;

  @EnumField(['none', ...ACCOUNT_STATES], { name: 'ByosaState', example: 'active' })
  state: 'none' | AccountState;

  @BooleanField({ description: 'Whether new artifacts are stored there. The organization is then not metered.' })
  receives_artifacts: boolean;

  @ApiProperty({ type: S3PlaceResponse, nullable: true })
  s3: S3PlaceResponse | null;

  @ApiProperty({ type: AzurePlaceResponse, nullable: true })
  azure: AzurePlaceResponse | null;

  @TimeField({ nullable: true })
  created_at: string | null;

  @TimeField({ nullable: true })
  updated_at: string | null;
}

export class ByosaCheckResponse {
  @EnumField(CHECK_NAMES, { name: 'ByosaCheckName', example: 'authenticate' })
  name: CheckResult['name'];

  @EnumField(CHECK_STATUSES, { name: 'ByosaCheckStatus', example: 'passed' })
  status: CheckResult['status'];

  @TextField({ max: 500, example: 'Good.', description: 'For a failed check: how to fix it.' })
  message: string;

  @IntegerField({ min: 0, example: 100, description: 'Rounded up to a multiple of 100.' })
  duration_ms: number;
}

export class ByosaDiagnosisResponse {
  @BooleanField()
  ok: boolean;

  @ApiProperty({ type: [ByosaCheckResponse] })
  checks: ByosaCheckResponse[];
}
