import { type ControllerDocs } from '#infra/http/describe';

export const BUILDS_DOCS = {
  list: 'Use it to show the builds of a project, or to find one by version, platform, branch, commit or notes. Filters combine: `?channel_id=…&installable=false` finds what testers of a channel cannot install.',
  facets:
    'Use it to offer the values of the filters `platform`, `version` and `branch` of the list. Builds without a branch are not in `branches`.',
  latest:
    'Use it in CI to derive the next build number, or to find the newest install link. It is the build that was uploaded last, also if it was not promoted. The conditions combine; `channel_id` selects what the testers of a channel get. `404 not_found` when no build meets the conditions.',
  get: 'Use it to show one build: what its artifact says about itself, its signature, its install link, warnings and download counts.',
  update:
    'Use it to correct the notes. The install page shows the new text at once, and so do releases that have no notes of their own. Mails that were sent do not change. Nothing else about a build can be changed: upload a new one.',
  rotateLink: {
    description:
      'Use it when the install link of the build has reached people who should not have it. The old link and the download URLs that were made through it stop working at once. Links that were mailed to testers are separate and keep working. The response has the new link.',
    retry:
      'Send an `Idempotency-Key`, and repeat the request with the same key after a timeout, a `429` or a `503`. Without a key a repetition replaces the link again.',
  },
  delete:
    'Use it to free storage, or to withdraw a build that must not be installed. Its install link and download URLs stop working at once, its storage is no longer metered, and its releases that are not current are deleted. The file is deleted in the background. A build that is the current release of a channel is `409 dependency_exists`: withdraw the release or promote another build first. This cannot be undone.',
  deleteMany:
    'Use it to delete several builds in one step, with the same effects as deleting each. The response says what was done with each id: `deleted`, `current` (it stays, because it is the current release of the `channels`: withdraw the release or promote another build first) or `not_found`. If a concurrent withdrawal makes one of them current, nothing is deleted and the response is `409 dependency_exists`: repeat the request. This cannot be undone.',
  mintDownloadUrl: {
    description:
      'Use it to download the artifact with a program. The URL is a credential: it works for 30 minutes without a login, and accepts `HEAD` and `Range`. The cost of one download is reserved now and charged at the first `GET`; an unused URL costs nothing. Without enough credit the response is `402`. Retries and ranges on one URL are free until they add up to three times the size. For people, use the install link of the build instead.',
    retry:
      'It can be repeated: each request without an `Idempotency-Key` makes another URL, with its own reservation. With the same key the response is the first URL, even if it has expired since.',
  },
} satisfies ControllerDocs;
