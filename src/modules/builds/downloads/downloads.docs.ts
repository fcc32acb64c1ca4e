import { type ControllerDocs } from '#infra/http/describe';

export const DOWNLOADS_DOCS = {
  head: 'Use it to learn the size, type and ETag of the file before downloading it. It costs nothing.',
  get: {
    description:
      'The target of a download URL; do not build the URL yourself. The first request charges the size of the file to the organization; `304` and `416` charge nothing. With S3 and Azure it redirects to the store, which counts as the whole file; otherwise it sends the bytes. If the store is unavailable, it is `503` and nothing is charged. To resume, send `Range` with `If-Range`. An invalid or expired URL, and one that has sent three times the size, is `404 not_found`.',
    retry: 'It can be repeated until the URL expires: retries and ranges cost nothing more.',
  },
} satisfies ControllerDocs;
