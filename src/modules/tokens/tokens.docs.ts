import { type ControllerDocs } from '#infra/http/describe';

export const PERSONAL_ACCESS_TOKENS_DOCS = {
  list: 'Use it to review your tokens: their scopes, when they were last used, and when they expire. An ADMIN sees the tokens of all members. Values are never shown again; `last4` helps to recognize one. Expired tokens stay in the list for 90 days or until they are revoked.',
  create:
    'Use it for scripts that act for you, in this organization only. A request of the token must be allowed by one of its `scopes` and by your roles at that moment. The response is the only one that contains its value: store it as a secret immediately. A repetition with the same `Idempotency-Key` within 24 hours returns it again. For CI, a project access token is the better choice: it does not depend on a person.',
  rotate: {
    description:
      'Use it regularly, and when the value may have leaked. The response is the only one that contains the new value; the old one stops working immediately. You can rotate your own tokens only. `expires_at` stays as it is. An expired token is `400 operation_not_allowed`, reason `token_expired`: create a new one.',
    retry:
      'Send an `Idempotency-Key`, and repeat the request with the same key after a timeout, a `429` or a `503`: the response has the same value. Without a key a repetition replaces the value again.',
  },
  revokeValue: {
    description:
      'Use it in a program that logs out, and when you find a token that leaked: it needs no other credential than the value in the body. The token stops working immediately. The response is the same for an unknown or revoked value (RFC 7009).',
    retry: 'It can be repeated at any time: a token that is revoked stays revoked.',
  },
  revoke:
    'Use it when a script no longer needs the token, or when it leaked. Its value stops working immediately. An ADMIN can revoke the tokens of all members.',
} satisfies ControllerDocs;

export const PROJECT_ACCESS_TOKENS_DOCS = {
  list: 'Use it to review the credentials of CI: their role, when they were last used, and when they expire. Values are never shown again; `last4` helps to recognize one. Expired tokens stay in the list for 90 days or until they are revoked.',
  create:
    'Use it once for each CI pipeline. The token acts in this project only, with `role`, which can be at most your own (`403 insufficient_role` above it). The response is the only one that contains its value: store it as a secret of the pipeline immediately. A repetition with the same `Idempotency-Key` within 24 hours returns it again.',
  rotate: {
    description:
      'Use it regularly, and when a value may have leaked. The response is the only one that contains the new value. The old value stops working immediately or, with `overlap_seconds`, after that time, so that pipelines can switch without a gap. Another rotation ends the overlap. `expires_at` stays as it is. An expired token is `400 operation_not_allowed`, reason `token_expired`: create a new one.',
    retry:
      'Send an `Idempotency-Key`, and repeat the request with the same key after a timeout, a `429` or a `503`: the response has the same value. Without a key a repetition replaces the value again.',
  },
  revoke:
    'Use it when a pipeline no longer needs its token, or when it leaked. Its value stops working immediately, also one that overlaps after a rotation. Builds that it uploaded stay.',
} satisfies ControllerDocs;

export const ORGANIZATION_TOKENS_DOCS = {
  list: 'Use it to review the credentials of CI in all projects: to find those that nobody uses (`unused_days`), or the one that a log shows the end of (`last4`). Needs MANAGER or ADMIN, who may revoke each with `DELETE /project-access-tokens/{token_id}`. Values are never shown again.',
  identify: {
    description:
      'Use it when you find the value of a token where it should not be, for example in a log: it says which token of the organization it is, whether the value still works, and by its `id` you can revoke it. It finds project access tokens of projects in which you have UPLOAD_BUILD, your own personal access tokens, and as ADMIN those of all members. Any other value, also that of a token that you may not see, is `404 not_found`. The value is neither stored nor logged.',
    retry: 'It can be repeated at any time: it changes nothing.',
  },
} satisfies ControllerDocs;
