import { type ControllerDocs } from '#infra/http/describe';

const RETRY =
  'It can be repeated: while an export of yours is requested or running, the response describes that export. At most three exports are made in a day; further requests are `429`.';

export const DEVELOPER_EXPORTS_DOCS = {
  request: {
    description:
      'Use it to get all data about yourself as a zip of JSON files, without secrets. A job makes the archive; then its link is mailed to you and returned by `GET /developers/me/export`. A wrong password is `400 invalid_input`, reason `wrong_password`.',
    retry: RETRY,
  },
  latest:
    'Use it to find out whether your export is ready: request it every few seconds until the `state` is `ready` or `failed`.',
} satisfies ControllerDocs;

export const ORGANIZATION_EXPORTS_DOCS = {
  request: {
    description:
      'Use it to get all data of the organization as a zip of JSON files, without secrets and without the artifacts of its builds. It contains the addresses of all members and testers. A job makes the archive; then its link is mailed to you and returned by `GET /organizations/{organization_id}/export`. A wrong password is `400 invalid_input`, reason `wrong_password`.',
    retry: RETRY,
  },
  latest:
    'Use it to find out whether the export that you requested is ready. It does not show exports of other ADMINs.',
} satisfies ControllerDocs;

export const EXPORT_DOWNLOADS_DOCS = {
  head: 'Use it to learn the size of an archive before downloading it.',
  get: 'The target of the link to an export. The link expires a day after the export was made, and stops working immediately when the developer who requested it is no longer ADMIN of the organization, or deletes the account. Do not build the URL yourself.',
} satisfies ControllerDocs;
