import { type BuildDownload } from './build-download';
import { type BuildDownloadResponse } from './dto/build-download.response';

export const toBuildDownloadResponse = (download: BuildDownload): BuildDownloadResponse => ({
  id: download.id,
  build_id: download.buildId,
  started_at: download.startedAt.toISOString(),
  completed_at: download.completedAt?.toISOString() ?? null,
  served_bytes: download.servedBytes,
  device_family: download.deviceFamily,
  tester_id: download.testerId,
  channel_id: download.channelId,
  minted_by: { ...download.mintedBy },
});

/** One row of the CSV export. */
export const toBuildDownloadRow = (download: BuildDownload): Record<string, string | number | null> => {
  const { minted_by: mintedBy, ...row } = toBuildDownloadResponse(download);
  return { ...row, minted_by_kind: mintedBy.kind, minted_by_id: mintedBy.id };
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
] as const;
