import { type ControllerDocs } from '#infra/http/describe';

export const LATEST_DOCS = {
  page: 'An address that stays the same for all builds: for a wiki, a chat or a QR code. It redirects to the page of the newest build of the platform that the link shows. The redirect costs nothing. Until there is one, it is `404`.',
  package:
    'For scripts that always want the newest package. It redirects to the package, which redirects to a download URL; follow both (`curl -L`). The redirect costs nothing, the download does. Until there is one, it is `404`.',
} satisfies ControllerDocs;
