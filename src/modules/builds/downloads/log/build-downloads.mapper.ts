import { type BuildDownload, type TesterDownload } from './build-download';
import { type BuildDownloadResponse, type TesterDownloadResponse } from './dto/build-download.response';

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
