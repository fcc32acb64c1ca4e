import { type ControllerDocs } from '#infra/http/describe';

export const PROJECT_RELEASES_DOCS = {
  list: 'Use it to show what happened in all channels of a project. `GET /releases` lists one channel. Withdrawn releases are not listed.',
} satisfies ControllerDocs;
