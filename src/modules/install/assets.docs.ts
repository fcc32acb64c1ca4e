import { type ControllerDocs } from '#infra/http/describe';

export const ASSETS_DOCS = {
  get: 'For the pages of this service. A name contains a hash of the content, so a browser may cache the file for a year. An unknown name is `404`.',
} satisfies ControllerDocs;
