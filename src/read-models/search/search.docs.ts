import { type ControllerDocs } from '#infra/http/describe';

export const SEARCH_DOCS = {
  search:
    'Use it to jump to something by a few letters. It returns up to five projects, builds, channels and testers that contain every word, the best match first; a word may also be in the name of the project. Only projects in which the caller has a role are searched, and with a personal access token only the kinds that its scopes include (`builds:read`, `channels:read`, `testers:read`). The newest 5,000 builds and testers are searched, of the organization or, for a caller with roles in single projects, of these projects in equal shares; use the filters of the lists to find older ones.',
} satisfies ControllerDocs;
