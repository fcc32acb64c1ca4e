import { type ControllerDocs } from '#infra/http/describe';

export const UPDATE_CHECK_DOCS = {
  check:
    'For installed apps, at their start: is there a newer build? Send `version` and `build`; numbers are compared by value (`1.10` is newer than `1.9`). Android compares the build number first, as Android itself does; other platforms the version, then the build number. It costs nothing. Send `install_id` to be counted as running the build. Send `If-None-Match`: without a new promotion the response is `304`. A key that was rotated or revoked, and a key without a build, are `404`.',
} satisfies ControllerDocs;
