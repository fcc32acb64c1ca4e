import { type ControllerDocs } from '#infra/http/describe';

export const BUILDS_DOCS = {
  list: 'Use it to show the builds of a project, or to find one by version, platform, branch, commit or notes. Filters combine: `?channel_id=…&installable=false` finds what testers of a channel cannot install.',
  facets:
    'Use it to offer the values of the filters `platform`, `version` and `branch` of the list. Versions and branches are those of the newest 5,000 builds; a platform has at most 5,000. Builds without a branch are not in `branches`.',
  latest:
    'Use it in CI to derive the next build number, or to find the newest install link. It is the build that was uploaded last, also if it was not promoted. The conditions combine; `channel_id` selects what the testers of a channel get. `404 not_found` when no build meets the conditions.',
  get: 'Use it to show one build: what its artifact says about itself, its signature, its install link, warnings and download counts.',
  update:
    'Use it to correct the notes, or to pin the build. Retention and people cannot delete a pinned build until it is unpinned. The install page shows the new text immediately, and so do releases that have no notes of their own. Mails that were sent do not change. Nothing else about a build can be changed: upload a new one.',
  rotateLink: {
    description:
      'Use it when the install link of the build has reached people who should not have it. The old link and the download URLs that were made through it stop working immediately. Links that were mailed to testers are separate and keep working. The response has the new link.',
    retry:
      'Send an `Idempotency-Key`, and repeat the request with the same key after a timeout, a `429` or a `503`. Without a key a repetition replaces the link again.',
  },
  mintDownloadUrl: {
    description:
      'Use it to download the artifact with a program. The URL is a credential: it works for 30 minutes without a login, and accepts `HEAD` and `Range`. The cost of one download is reserved now and charged at the first `GET`; an unused URL costs nothing. Without enough credit the response is `402`. Retries and ranges on one URL are free until they add up to three times the size. For people, use the install link of the build instead.',
    retry:
      'It can be repeated: each request without an `Idempotency-Key` makes another URL, with its own reservation. With the same key the response is the first URL, even if it has expired since.',
  },
} satisfies ControllerDocs;

export const BUILD_DELETIONS_DOCS = {
  delete:
    'Use it to free storage, or to withdraw a build that must not be installed. The build moves to the trash: it is in no list, its install link and download URLs stop working immediately, and its releases disappear; a download URL of the last ten minutes works until it expires. For seven days `POST /builds/restore` brings it back with the same link. Until `frees_bytes_at` its file is stored and metered. With `permanently=true` the build, also one in the trash, and its file are deleted now. A build that is the current release of a channel is `409 dependency_exists`: withdraw the release or promote another build first. A pinned build is `400 operation_not_allowed`.',
  deleteMany:
    'Use it to delete several builds in one step, with the same effects as deleting each. With `ids`, the response says what was done with each id: `deleted`, `current` (it stays, because it is the current release of the `channels`: withdraw the release or promote another build first), `pinned` (it stays until it is unpinned) or `not_found`. With `filter`, the builds of a preview are deleted, the oldest 500 in one request, or 200 with `permanently`: `remaining` says how many are left. Builds that were uploaded after the preview stay. The next request sends the `fingerprint` of the response. With `permanently`, nothing is deleted when other builds than those of the preview would be: `400 operation_not_allowed`, reason `preview_outdated`.',
  preview: {
    description:
      'Use it before `POST /builds/delete` with a filter, to see how many builds it deletes, what their files occupy, and what their storage costs. The `fingerprint` is valid for an hour.',
    retry: 'It changes nothing, so it can be repeated at any time.',
  },
  restore:
    'Use it to undo a deletion within seven days. The builds have their links, download counts and releases again. A release that would now be current in its channel is not restored: testers get what they got before. A build that is not in the trash stays as it is, so the request can be repeated.',
} satisfies ControllerDocs;

export const RETENTION_DOCS = {
  get: 'Use it to show by which rules builds of the project are deleted. A new project has none and keeps all builds.',
  set: 'Use it to let the service delete old builds. To enable rules, preview them and send the `fingerprint`. A build goes when at least one rule is about it and every rule about it lets it go. Never deleted are builds that are current in a channel, pinned, the newest of their platform, younger than 24 hours, or downloaded within 14 days, and those with a further link. A deletion is announced seven days before: `expires_at` of the build, the event `build.deletion_scheduled`, and a mail to the managers of the project. The build then moves to the trash.',
  preview: {
    description:
      'Use it before enabling rules, to see which builds they delete, what their files occupy, and what their storage costs. Without `rules` it is about those of the project. The `fingerprint` is valid for an hour.',
    retry: 'It changes nothing, so it can be repeated at any time.',
  },
} satisfies ControllerDocs;

export const ATTACHMENTS_DOCS = {
  list: 'Use it to show the files that belong to a build beside its artifact: packages and block maps for the updaters of desktop apps, symbols and other files.',
  look: 'Use it to learn size, type and ETag of the file before downloading it. It reserves nothing.',
  download: {
    description:
      'Use it to download an attachment. It reserves the cost of one download and redirects to a download URL, which works for 30 minutes without a login and accepts `HEAD` and `Range`, also with several ranges. Without enough credit the response is `402`. The updaters of apps use the addresses in their feeds instead.',
    retry: 'It can be repeated: each request makes another URL, with its own reservation.',
  },
  delete:
    'Use it to remove a file from a build, also from one that is the current release of a channel: feeds no longer contain it, downloads of it that did not start are `404`, and its storage is no longer metered. This cannot be undone.',
} satisfies ControllerDocs;

export const BUILD_DIFF_DOCS = {
  compareWith:
    'Use it before a promotion, to see what changes for testers: version, size and what grew, the oldest system that it runs on, bundle id, signature, native ABIs, permissions, warnings and commits. `from` is the value of the build in `with`, `to` that of the build in the path. A field is `null` when both builds have the same value. Permissions, entitlements and contents are also `null` when one of the builds was uploaded before they were recorded.',
  compare:
    'The same as `GET /builds/{build_id}/compare`, with the other build in `against`. `from` is the value of the build in `against`, `to` that of the build in the path. A field is `null` when both builds have the same value. Permissions, entitlements and contents are also `null` when one of the builds was uploaded before they were recorded.',
} satisfies ControllerDocs;

export const BUILD_ICONS_DOCS = {
  get: 'The target of `icon_url`; do not build the address yourself. It opens nothing but the icon, needs no credential and costs nothing. The icon of a build never changes, so it may be cached without limit. An unknown address, and that of a deleted build, is `404`.',
} satisfies ControllerDocs;

export const DOWNLOADS_DOCS = {
  head: 'Use it to learn the size, type and ETag of the file before downloading it. It costs nothing.',
  get: {
    description:
      'The target of a download URL; do not build the URL yourself. The first request charges the size of the file to the organization; `304` and `416` charge nothing. With S3 and Azure it redirects to the store or its CDN, which counts as the whole file, or as a fiftieth when `Range` starts after the first byte; otherwise it sends the bytes. If the store is unavailable, it is `503` and nothing is charged. To resume, send `Range` with `If-Range`. An invalid or expired URL, and one that has sent three times the size, is `404 not_found`.',
    retry: 'It can be repeated until the URL expires: retries and ranges cost nothing more.',
  },
} satisfies ControllerDocs;

export const DAILY_DOWNLOADS_DOCS = {
  count:
    'Use it to draw the downloads of a project, a build or a channel as a chart. Every day of the range is in the response, in order, also without downloads. A range has at most 366 days; by default it is the last 30. Days are in UTC. It counts entries of the download log, which are deleted with their build and after `DOWNLOAD_LOG_DAYS`.',
} satisfies ControllerDocs;

export const DOWNLOAD_LOG_DOCS = {
  list: 'Use it to see who downloaded a build: when, on which kind of device, through which link, and whether all bytes arrived. A download is logged from its first `GET`. Retries and ranges with one download URL are one download. Because it is about people, it needs `MANAGE_TESTERS`; the counts on the build do not.',
  export: {
    description: 'Use it to evaluate the downloads of a build in a spreadsheet. It has the same rows as the list.',
    retry:
      'It changes nothing, so it can be repeated at any time. It is streamed: if the connection breaks, the file is incomplete.',
  },
} satisfies ControllerDocs;
