import {
  type PartUrlsRequest,
  type OpenUploadResponse,
  type PartUrlsResponse,
  type ResumableUploadResponse,
} from './resumable-uploads.dto';
import { type ListedUpload, type PartRoute, partsOf, type PartUrl, type UploadProgress } from './resumable-upload';

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

export const toOpenUploadResponse = (upload: ListedUpload): OpenUploadResponse => ({
  id: upload.id,
  file_name: upload.fileName,
  size_bytes: upload.sizeBytes,
  part_size_bytes: upload.partSizeBytes,
  part_count: partsOf(upload).length,
  arrived_bytes: upload.arrivedBytes,
  created_by: upload.createdBy,
  created_at: upload.createdAt.toISOString(),
  expires_at: upload.pending.expiresAt.toISOString(),
});

export const toPartSelection = ({
  part_numbers: numbers,
  through = 'store',
}: PartUrlsRequest): { numbers: readonly number[]; through: PartRoute } => ({ numbers, through });

export const toPartUrlsResponse = (urls: readonly PartUrl[]): PartUrlsResponse => ({
  urls: urls.map(({ partNumber, sizeBytes, url, expiresAt }) => ({
    part_number: partNumber,
    size_bytes: sizeBytes,
    url,
    expires_at: expiresAt.toISOString(),
  })),
});
