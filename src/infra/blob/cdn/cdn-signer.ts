import { type DownloadHeaders } from '../download-headers';

/** A file at a CDN. */
export interface CdnFile {
  /** Its key in the store: segments of lower-case letters, digits, `-` and `_`. */
  readonly key: string;
  /** The name under which clients save it. */
  readonly fileName: string;
  /** The headers that the response must have. */
  readonly headers: DownloadHeaders;
  readonly now: Date;
}

/** Signs URLs of a CDN, which verifies them before it serves a file from its cache or from the store. */
export interface CdnSigner {
  urlOf(file: CdnFile): string;
}

export const secondsOf = (time: Date): number => Math.floor(time.getTime() / 1000);

/** The path and the query of a URL, as they are written. */
export const uriOf = (url: string): string => url.replace(/^[a-z]+:\/\/[^/]+/i, '');

/** Percent-encodes a text for any place in a URL, also the characters that CDNs treat as wildcards or that proxies encode again. */
export const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);

/** The parameters by which S3 sets the headers of a response (API reference of Amazon S3, "GetObject", request parameters). */
export const overridesOf = ({ contentDisposition, contentType, cacheControl }: DownloadHeaders): string =>
  [
    ['response-content-disposition', contentDisposition],
    ['response-content-type', contentType],
    ['response-cache-control', cacheControl],
  ]
    .map(([name, value = '']) => `${name}=${encoded(value)}`)
    .join('&');
