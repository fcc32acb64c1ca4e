import { create as contentDisposition } from 'content-disposition';
import { shownFileName } from '#kernel/text/file-name';

export interface DownloadHeaders {
  readonly contentDisposition: string;
  readonly contentType: string;
  readonly cacheControl: string;
}

/** The headers of a download, whoever serves it: us, or a store by a signed address. Any file name is safe here. */
export const downloadHeaders = (file: { fileName: string; mediaType: string }): DownloadHeaders => ({
  contentDisposition: contentDisposition(shownFileName(file.fileName)),
  contentType: file.mediaType,
  cacheControl: 'private, no-store',
});
