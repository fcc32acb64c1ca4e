import { AppError } from '#kernel/errors/app-error';
import { type AttachmentTarget, type UploadDraft } from '../lifecycle/upload';
import { toBuildDraft } from '../uploads.dto';
import { type ListedUpload, type PartRoute, partsOf, type PartUrl, type UploadProgress } from './resumable-upload';
import {
  type OpenUploadResponse,
  type PartUrlsRequest,
  type PartUrlsResponse,
  type ResumableUploadResponse,
  type StartUploadRequest,
} from './resumable-uploads.dto';

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

/** @throws AppError validation_error when an attachment has no kind, or no build. */
export function toUploadDraft(body: StartUploadRequest): UploadDraft {
  const attachment = toAttachmentTarget(body);
  return attachment ? { sha256: body.sha256, attachment } : toBuildDraft(body);
}

function toAttachmentTarget({
  build_id: buildId,
  kind,
  arch,
  signature,
  sha256,
}: StartUploadRequest): AttachmentTarget | null {
  if (buildId !== undefined && kind !== undefined) return { buildId, kind, arch, signature, sha256 };
  if (buildId !== undefined) throw invalid('kind', 'is required with build_id');
  const given = Object.entries({ kind, arch, signature }).find(([, value]) => value !== undefined);
  if (given) throw invalid(given[0], 'is for attachments and needs build_id');
  return null;
}

const invalid = (field: string, message: string): AppError => AppError.validation([{ field, messages: [message] }]);
