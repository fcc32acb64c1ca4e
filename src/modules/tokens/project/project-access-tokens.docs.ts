import { type ControllerDocs } from '#infra/http/describe';

export const PROJECT_ACCESS_TOKENS_DOCS = {
  list: 'Use it to review the credentials of CI: their role, when they were last used, and when they expire. Values are never shown again; `last4` helps to recognize one. Expired tokens stay in the list for 90 days or until they are revoked.',
  create:
    'Use it once for each CI pipeline. The token acts in this project only, with `role`, which can be at most your own (`403 insufficient_role` above it). The response is the only one that contains its value: store it as a secret of the pipeline at once. A repetition with the same `Idempotency-Key` within 24 hours returns it again.',
  rotate: {
    description:
      'Use it regularly, and when a value may have leaked. The response is the only one that contains the new value. The old value stops working at once or, with `overlap_seconds`, after that time, so that pipelines can switch without a gap. Another rotation ends the overlap. `expires_at` stays as it is. An expired token is `400 operation_not_allowed`, reason `token_expired`: create a new one.',
    retry:
      'Send an `Idempotency-Key`, and repeat the request with the same key after a timeout, a `429` or a `503`: the response has the same value. Without a key a repetition replaces the value again.',
  },
  revoke:
    'Use it when a pipeline no longer needs its token, or when it leaked. Its value stops working at once, also one that overlaps after a rotation. Builds that it uploaded stay.',
} satisfies ControllerDocs;
