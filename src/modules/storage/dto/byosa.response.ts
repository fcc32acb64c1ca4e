import { ApiProperty } from '@nestjs/swagger';
import { BooleanField, EnumField, IdField, TextField, TimeField } from '#infra/http/dto/fields';
import { ACCOUNT_STATES, type AccountState } from '../accounts/storage-account';

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

/** Where the artifacts of an organization go; never with a secret. */
export class ByosaResponse {
  @IdField()
  organization_id: string;

  @EnumField(['none', ...ACCOUNT_STATES], { name: 'ByosaState', example: 'active' })
  state: 'none' | AccountState;

  @BooleanField({ description: 'Whether new artifacts go there. Then the meters rest.' })
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
