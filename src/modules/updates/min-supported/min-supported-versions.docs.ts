import { type ControllerDocs } from '#infra/http/describe';

export const MIN_SUPPORTED_DOCS = {
  get: 'Use it to show which versions of the apps of a project are still supported.',
  change:
    'Use it when older apps must be updated, for example because a server no longer accepts them. The check of an app below the version says `mandatory`, as long as there is an update for it. Numbers are compared by value. On Android the version code counts.',
} satisfies ControllerDocs;
