import { create as contentDisposition } from 'content-disposition';
import { shownFileName } from '#kernel/text/file-name';

/** Chosen by file extension, never by the uploader's Content-Type: an uploader must not make a browser render an artifact. */
const MEDIA_TYPES: Readonly<Record<string, string>> = {
  apk: 'application/vnd.android.package-archive',
  appx: 'application/x-appx',
  appxbundle: 'application/x-appx',
  deb: 'application/vnd.debian.binary-package',
  dmg: 'application/x-apple-diskimage',
  msi: 'application/x-msi',
  msix: 'application/x-msix',
  msixbundle: 'application/x-msix',
  rpm: 'application/x-rpm',
  zip: 'application/zip',
};

/** For .ipa, .aab and every other extension. */
const BYTES = 'application/octet-stream';

/** All media types that artifacts are served with. */
export const ARTIFACT_MEDIA_TYPES: readonly string[] = [BYTES, ...new Set(Object.values(MEDIA_TYPES))];

/** The media type an artifact is served with. */
export function mediaTypeOf(fileName: string): string {
  const extension = /\.([a-z]+)$/i.exec(fileName)?.[1]?.toLowerCase() ?? '';
  return (Object.hasOwn(MEDIA_TYPES, extension) ? MEDIA_TYPES[extension] : undefined) ?? BYTES;
}

export interface DownloadHeaders {
  readonly contentDisposition: string;
  readonly contentType: string;
  readonly cacheControl: string;
}

/** A file that is downloaded. */
export interface DownloadedFile {
  readonly fileName: string;
  readonly mediaType: string;
  /** Absent: no cache keeps it. */
  readonly cacheControl?: string;
}

/** The headers of a download, from this service or from a presigned URL. Accepts any file name. */
export const downloadHeaders = (file: DownloadedFile): DownloadHeaders => ({
  contentDisposition: contentDisposition(shownFileName(file.fileName)),
  contentType: file.mediaType,
  cacheControl: file.cacheControl ?? 'private, no-store',
});

/** The `Cache-Control` of artifacts at a CDN. Keys are written once, so the bytes of an address never change (RFC 8246). */
export const IMMUTABLE = 'public, max-age=31536000, immutable';
