import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { NOTES_LENGTH } from '#kernel/builds/notes';
import { type Platform, PLATFORMS } from '#kernel/builds/platform';
import { EXAMPLE } from '#infra/http/dto/example';
import { BooleanField, EnumField, IdField, IntegerField, TextField, TimeField } from '#infra/http/dto/fields';
import { PageOf } from '#infra/http/dto/pagination';
import {
  AppResponse,
  BuildChannelResponse,
  DownloadCountsResponse,
  SourceResponse,
  UploadedByResponse,
  WarningResponse,
} from './build-parts.response';
import { SigningResponse } from './signing.response';

@ApiSchema({ description: 'An uploaded artifact of a project.' })
export class BuildResponse {
  @IdField({ of: 'build' })
  id: string;

  @IdField({ of: 'organization' })
  organization_id: string;

  @IdField({ of: 'project' })
  project_id: string;

  @EnumField(PLATFORMS, { name: 'Platform', description: 'The platform that the build runs on.' })
  platform: Platform;

  @TextField({ max: 128, example: '1.4.0', description: 'The version that people see.' })
  version: string;

  @TextField({
    max: 128,
    nullable: true,
    example: '42',
    description: 'Distinguishes builds of one version. `null` when neither the upload nor the artifact contained it.',
  })
  build_number: string | null;

  @TextField({
    max: NOTES_LENGTH,
    nullable: true,
    example: 'Fixes the login on small screens.',
    description: 'What to test. `null` when there are none.',
  })
  notes: string | null;

  @TimeField({ description: 'When the upload was complete.' })
  uploaded_at: string;

  @TimeField({
    nullable: true,
    example: '2025-02-01T09:30:00.000Z',
    description:
      'When the file was uploaded to the service that it was imported from, as the upload said. `null` for builds that were not imported. Lists, retention and billing use `uploaded_at`.',
  })
  original_uploaded_at: string | null;

  @ApiProperty({ description: 'Who uploaded it.' })
  uploaded_by: UploadedByResponse;

  @TextField({ max: 255, description: 'The name of the file, as it was uploaded.', example: EXAMPLE.fileName })
  file_name: string;

  @IntegerField({ min: 1, description: 'The size of the file, in bytes.', example: EXAMPLE.fileBytes })
  size_bytes: number;

  @TextField({ max: 64, example: EXAMPLE.sha256, description: 'The SHA-256 of the file, in hexadecimal.' })
  sha256: string;

  @TextField({
    max: 2000,
    nullable: true,
    example: EXAMPLE.buildLink,
    description:
      'The install link of the build. It is a credential to download, without an account, until the build is deleted or its link rotated. `null` for callers who may not download: below `DOWNLOAD_BUILD`, and personal access tokens without `builds:download`. `null` also when the service cannot decrypt it: rotate it then. The response to an upload always has it.',
  })
  install_url: string | null;

  @TextField({
    max: 2010,
    nullable: true,
    example: `${EXAMPLE.buildLink}/qr.svg`,
    description:
      'The install link as a QR code, an SVG image. It needs no other credential. `null` where `install_url` is `null`, and for a link with rules: make the code from `install_url` then.',
  })
  qr_url: string | null;

  @TextField({
    max: 2000,
    nullable: true,
    example: EXAMPLE.icon,
    description:
      'The icon of the app, at an address that gives access to the icon only and needs no credential. Its content never changes. `null` when the artifact contains none.',
  })
  icon_url: string | null;

  @ApiProperty({ description: 'What the artifact says about the app.' })
  app: AppResponse;

  @ApiProperty({
    nullable: true,
    type: SigningResponse,
    description: 'The signature of the artifact. `null` for platforms other than iOS and Android.',
  })
  signing: SigningResponse | null;

  @ApiProperty({ description: 'The source code that it was made from.' })
  source: SourceResponse;

  @ApiProperty({
    type: [BuildChannelResponse],
    description: 'The channels that it was promoted to, in the order of their names. Withdrawn releases do not count.',
  })
  channels: BuildChannelResponse[];

  @ApiProperty({ description: 'How often it was downloaded.' })
  downloads: DownloadCountsResponse;

  @BooleanField({
    example: false,
    description: 'Whether the build is kept: neither retention nor `POST /builds/delete` deletes it.',
  })
  pinned: boolean;

  @TimeField({
    nullable: true,
    example: null,
    description:
      'When retention moves the build to the trash, unless a rule or the protection of the build changes before. `null` when no rule lets it go.',
  })
  expires_at: string | null;

  @TimeField({
    nullable: true,
    example: null,
    description: 'When the build was moved to the trash. `null` for a build that is not in the trash.',
  })
  deleted_at: string | null;

  @TimeField({
    nullable: true,
    example: null,
    description:
      'When the file of a build in the trash is deleted. Until then its storage is metered, and the build can be restored. `null` for a build that is not in the trash.',
  })
  frees_bytes_at: string | null;

  @BooleanField({ description: 'Whether a device can install it from its link now.' })
  installable: boolean;

  @ApiProperty({
    nullable: true,
    type: WarningResponse,
    description: 'The warning because of which no device installs it. `null` when it is installable.',
  })
  not_installable: WarningResponse | null;

  @ApiProperty({
    type: [WarningResponse],
    description: 'What will fail or may surprise. Empty when nothing was found.',
  })
  warnings: WarningResponse[];
}

export class BuildPage extends PageOf(BuildResponse) {}
