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
    nullable: true,
    description:
      'Install link: a credential to download, valid until it is rotated. Null for callers who may not download: below `DOWNLOAD_BUILD`, and personal access tokens without `builds:download`. The response to an upload always has it.',
    example: 'https://install.example.com/install/kq0YyX',
  })
  install_url: string | null;

  @TextField({
    max: 2000,
    nullable: true,
    description: 'Opens the icon and nothing else, without a credential. Its content never changes.',
    example: 'https://agate.example.com/icons/Aazs3q',
  })
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
