import { create as contentDisposition } from 'content-disposition';
import { shownFileName } from '#kernel/text/file-name';

export interface DownloadHeaders {
  readonly contentDisposition: string;
  readonly contentType: string;
  readonly cacheControl: string;
}

/** The headers of a download, from this service or from a presigned URL. Accepts any file name. */
export const downloadHeaders = (file: { fileName: string; mediaType: string }): DownloadHeaders => ({
  contentDisposition: contentDisposition(shownFileName(file.fileName)),
  contentType: file.mediaType,
  cacheControl: 'private, no-store',
});
