import { ApiProperty } from '@nestjs/swagger';
import { NOTES_LENGTH } from '#kernel/builds/notes';
import { type Platform, PLATFORMS } from '#kernel/builds/platform';
import { BooleanField, EnumField, IdField, IntegerField, TextField, TimeField } from '#infra/http/dto/fields';
import { PageOf } from '#infra/http/dto/pagination';
import {
  AppResponse,
  DownloadCountsResponse,
  SourceResponse,
  UploadedByResponse,
  WarningResponse,
} from './build-parts.response';
import { SigningResponse } from './signing.response';

export class BuildResponse {
  @IdField()
  id: string;

  @IdField()
  organization_id: string;

  @IdField()
  project_id: string;

  @EnumField(PLATFORMS, { name: 'Platform' })
  platform: Platform;

  @TextField({ max: 128, example: '1.4.0' })
  version: string;

  @TextField({ max: 128, nullable: true, example: '42' })
  build_number: string | null;

  @TextField({ max: NOTES_LENGTH, nullable: true, example: 'Fixes the login on small screens.' })
  notes: string | null;

  @TimeField()
  uploaded_at: string;

  @ApiProperty()
  uploaded_by: UploadedByResponse;

  @TextField({ max: 255, example: 'Demo.ipa' })
  file_name: string;

  @IntegerField({ min: 1, example: 24_117_248 })
  size_bytes: number;

  @TextField({ max: 64, example: 'a'.repeat(64) })
  sha256: string;

  @TextField({
    max: 2000,
    description: 'Permanent install link.',
    example: 'https://install.example.com/install/kq0YyX',
  })
  install_url: string;

  @TextField({ max: 2000, nullable: true, example: 'https://install.example.com/install/kq0YyX/icon.png' })
  icon_url: string | null;

  @ApiProperty()
  app: AppResponse;

  @ApiProperty({ nullable: true, type: SigningResponse })
  signing: SigningResponse | null;

  @ApiProperty()
  source: SourceResponse;

  @ApiProperty()
  downloads: DownloadCountsResponse;

  @BooleanField({ description: 'Whether a device can install it from its link now.' })
  installable: boolean;

  @ApiProperty({ type: [WarningResponse] })
  warnings: WarningResponse[];
}

export class BuildPage extends PageOf(BuildResponse) {}
