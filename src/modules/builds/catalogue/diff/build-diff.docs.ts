import { type ControllerDocs } from '#infra/http/describe';

export const BUILD_DIFF_DOCS = {
  compare:
    'Use it before a promotion, to see what changes for testers: version, size, the oldest system that it runs on, bundle id, signature, permissions and warnings. `from` is the value of the build in `against`, `to` that of the build in the path. A field is `null` when both builds have the same value. Permissions and entitlements are also `null` when one of the builds was uploaded before they were recorded.',
} satisfies ControllerDocs;
