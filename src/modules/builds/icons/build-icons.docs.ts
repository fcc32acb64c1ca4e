import { type ControllerDocs } from '#infra/http/describe';

export const BUILD_ICONS_DOCS = {
  get: 'The target of `icon_url`; do not build the address yourself. It opens nothing but the icon, needs no credential and costs nothing. The icon of a build never changes, so it may be cached without limit. An unknown address, and that of a deleted build, is `404`.',
} satisfies ControllerDocs;
