import { ApiProperty, ApiSchema, OmitType } from '@nestjs/swagger';
import { DEVICE_FAMILIES, type DeviceFamily } from '#kernel/builds/device';
import { type Platform, PLATFORMS } from '#kernel/builds/platform';
import { EmailField, EnumField, IdField, IntegerField, TextField, TimeField } from '#infra/http/dto/fields';
import { PageOf } from '#infra/http/dto/pagination';
import { VersionField } from '#infra/http/dto/version-fields';
import { type BuildDownload, type TesterDownload } from './build-download';

@ApiSchema({ description: 'The owner of the credential that made the download URL.' })
export class MintedByResponse {
  @TextField({
    max: 40,
    example: 'invite',
    description: '`invite` (an install link), `update_key` (an installed app), `developer` or `project_access_token`.',
  })
  kind: string;

  @IdField({ nullable: true, of: 'install link', description: 'Id of the install link, developer or token.' })
  id: string | null;

  @TextField({
    max: 254,
    nullable: true,
    example: null,
    description:
      'The name of the developer, or the e-mail address of one without a name, or the name of the token. `null` for an install link, and after the account or token was deleted.',
  })
  label: string | null;
}

@ApiSchema({ description: 'The tester whose install link was used.' })
export class DownloadingTesterResponse {
  @IdField({ of: 'tester' })
  id: string;

  @TextField({
    max: 100,
    nullable: true,
    example: 'Tess',
    description: 'The name. `null` when none was given, or the tester was erased.',
  })
  name: string | null;

  @EmailField({
    nullable: true,
    example: 'tess@example.com',
    description: 'The address. `null` when the tester was erased.',
  })
  email: string | null;
}

@ApiSchema({ description: 'A download of a build, from its first byte.' })
export class BuildDownloadResponse {
  @IdField({ of: 'download' })
  id: string;

  @IdField({ of: 'build', description: 'The build that was downloaded.' })
  build_id: string;

  @TimeField({ description: 'When the first byte was requested.', example: '2026-11-20T18:09:14.298Z' })
  started_at: string;

  @TimeField({
    nullable: true,
    description:
      'When the last missing byte was sent. `null` when the download is not complete, or when the store sends the bytes.',
    example: '2026-11-20T18:09:31.027Z',
  })
  completed_at: string | null;

  @IntegerField({
    min: 0,
    nullable: true,
    description: 'Sent bytes, including retries. `null` until something is known.',
    example: 24117248,
  })
  served_bytes: number | null;

  @EnumField(DEVICE_FAMILIES, { name: 'DeviceFamily', description: 'The kind of device.' })
  device_family: DeviceFamily;

  @IdField({
    nullable: true,
    description: 'The tester whose install link was used. The id stays when the tester is erased.',
    of: 'tester',
  })
  tester_id: string | null;

  @ApiProperty({
    type: DownloadingTesterResponse,
    nullable: true,
    description:
      'Name and address of that tester. `null` when the link of a build or channel, or an account, was used.',
  })
  tester: DownloadingTesterResponse | null;

  @IdField({
    nullable: true,
    description: 'The channel whose install link was used, or through which the tester was reached.',
    of: 'channel',
  })
  channel_id: string | null;

  @ApiProperty({ description: 'Who made the download URL.' })
  minted_by: MintedByResponse;
}

@ApiSchema({ description: 'A download through a link of a tester, from its first byte.' })
export class TesterDownloadResponse extends OmitType(BuildDownloadResponse, ['tester_id', 'tester', 'minted_by']) {
  @VersionField()
  version: string;

  @TextField({ max: 128, nullable: true, example: '42', description: 'Its build number. `null` when it has none.' })
  build_number: string | null;

  @EnumField(PLATFORMS, { name: 'Platform', description: 'The platform of the build.' })
  platform: Platform;
}

export class TesterDownloadPage extends PageOf(TesterDownloadResponse) {}

export class BuildDownloadPage extends PageOf(BuildDownloadResponse) {}

export const toBuildDownloadResponse = (download: BuildDownload): BuildDownloadResponse => ({
  id: download.id,
  build_id: download.buildId,
  started_at: download.startedAt.toISOString(),
  completed_at: download.completedAt?.toISOString() ?? null,
  served_bytes: download.servedBytes,
  device_family: download.deviceFamily,
  tester_id: download.testerId,
  tester: download.tester && { ...download.tester },
  channel_id: download.channelId,
  minted_by: { ...download.mintedBy },
});

export const toTesterDownloadResponse = (download: TesterDownload): TesterDownloadResponse => {
  const { tester: _tester, tester_id: _id, minted_by: _mintedBy, ...response } = toBuildDownloadResponse(download);
  const { version, buildNumber, platform } = download;
  return { ...response, version, build_number: buildNumber, platform };
};

/** One row of the CSV export. */
export const toBuildDownloadRow = (download: BuildDownload): Record<string, string | number | null> => {
  const { minted_by: mintedBy, tester, ...row } = toBuildDownloadResponse(download);
  return {
    ...row,
    minted_by_kind: mintedBy.kind,
    minted_by_id: mintedBy.id,
    minted_by_label: mintedBy.label,
    tester_name: tester?.name ?? null,
    tester_email: tester?.email ?? null,
  };
};

export const BUILD_DOWNLOAD_COLUMNS = [
  'id',
  'build_id',
  'started_at',
  'completed_at',
  'served_bytes',
  'device_family',
  'tester_id',
  'channel_id',
  'minted_by_kind',
  'minted_by_id',
  'tester_name',
  'tester_email',
  'minted_by_label',
] as const;
