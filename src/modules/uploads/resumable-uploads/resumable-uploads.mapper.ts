import { type PartUrlsResponse, type ResumableUploadResponse } from './dto/resumable-upload.response';
import { type PartUrl, type UploadProgress } from './resumable-upload';

export const toUploadResponse = (upload: UploadProgress): ResumableUploadResponse => ({
  id: upload.id,
  state: upload.pending ? 'open' : 'complete',
  file_name: upload.fileName,
  size_bytes: upload.sizeBytes,
  part_size_bytes: upload.partSizeBytes,
  part_count: upload.parts.length,
  expires_at: upload.pending?.expiresAt.toISOString() ?? null,
  build_id: upload.buildId,
  parts: upload.parts.map((part) => ({
    part_number: part.partNumber,
    size_bytes: part.sizeBytes,
    arrived: part.arrived,
  })),
});

export const toPartUrlsResponse = (urls: readonly PartUrl[]): PartUrlsResponse => ({
  urls: urls.map(({ partNumber, sizeBytes, url, expiresAt }) => ({
    part_number: partNumber,
    size_bytes: sizeBytes,
    url,
    expires_at: expiresAt.toISOString(),
  })),
});
