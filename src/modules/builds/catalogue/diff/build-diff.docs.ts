import { type ControllerDocs } from '#infra/http/describe';

export const BUILD_DIFF_DOCS = {
  compareWith:
    'Use it before a promotion, to see what changes for testers: version, size and what grew, the oldest system that it runs on, bundle id, signature, native ABIs, permissions and warnings. `from` is the value of the build in `with`, `to` that of the build in the path. A field is `null` when both builds have the same value. Permissions, entitlements and contents are also `null` when one of the builds was uploaded before they were recorded.',
  compare:
    'The same as `GET /builds/{build_id}/compare`, with the other build in `against`. `from` is the value of the build in `against`, `to` that of the build in the path. A field is `null` when both builds have the same value. Permissions, entitlements and contents are also `null` when one of the builds was uploaded before they were recorded.',
} satisfies ControllerDocs;
