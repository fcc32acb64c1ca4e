import { type ErrorCode } from '#kernel/errors/catalogue';

export interface ErrorGuide {
  /** What the code says, in a sentence or two. */
  readonly meaning: string;
  /** When it is answered. */
  readonly causes: readonly string[];
  /** What a client, or its developer, does then. */
  readonly remedies: readonly string[];
  /** What `details` may hold besides `request_id` and `reason`. */
  readonly details?: Readonly<Record<string, string>>;
}

const SHORTAGE = {
  required_micro_usd: 'Integer. The projected cost of what was asked.',
  available_micro_usd: 'Integer. What is free: neither spent nor reserved.',
};

/** One page for each code: docs/generated/errors. */
export const ERROR_GUIDE: Readonly<Record<ErrorCode, ErrorGuide>> = {
  not_found: {
    meaning: 'There is nothing at this address, or nothing under the given parents.',
    causes: [
      'The path is not one of the API, or does not have this method.',
      'The resource id does not exist, was deleted, or belongs to another project or organization.',
      'An install link, a download URL or the address of a part has run out, was revoked, or never was.',
    ],
    remedies: [
      'Compare path and ids with what the lists answer. The parents are query parameters.',
      'Ask for a new link or download URL. Do not retry the same one.',
    ],
  },
  already_exists: {
    meaning: 'What was to be made, or done once, is there or done already.',
    causes: [
      'Another one has the same name, e-mail address or other unique value.',
      'The link, promotion or payment has done its work before.',
      'The first request with the same `Idempotency-Key` is still at work.',
    ],
    remedies: [
      'Use what exists, or choose another name.',
      'With reason `idempotency_in_flight`, wait for the seconds of `Retry-After` and send the same request with the same key.',
    ],
  },
  dependency_exists: {
    meaning: 'Something still depends on what was to be removed or changed.',
    causes: [
      'A project still has builds, an organization projects, a channel releases that are current.',
      'A build is the current release of a channel.',
      'A plan cannot change while channels or storage of its own need it.',
    ],
    remedies: ['Remove what depends on it first; the message names it.'],
  },
  invalid_input: {
    meaning:
      'The request has the right shape, and a value in it cannot be accepted. `details.reason` is a stable word.',
    causes: [
      'A file is not what it claims to be, or is damaged or hostile.',
      'A token, code, password or captcha in the body is wrong, used or too old.',
      'Values contradict each other, or what the service knows.',
      'As 416: the range asked for begins behind the end of the file.',
    ],
    remedies: ['Match on the reason: the table says what each means. The same request will be refused again.'],
    details: {
      bundle_id: 'String, with `bundle_id_mismatch`: the id of this file.',
      expected_bundle_id: 'String, with `bundle_id_mismatch`: the id of the project.',
      checks: 'List of `{name, status, message, duration_ms}`, with `checks_failed`.',
      missing_parts: 'List of part numbers, with `parts_missing`.',
      sha256: 'String, with `sha256_mismatch`: the hash of what arrived.',
      size_bytes: 'Integer, as 416: how long the file is.',
    },
  },
  validation_error: {
    meaning: 'The request is not shaped as the route expects.',
    causes: [
      'A field or parameter is missing, unknown, of the wrong type, too long or too large.',
      'The body is not JSON, or not of the declared content type.',
      'A text holds U+0000 or a lone surrogate. An id is not a uuid. An `Idempotency-Key` is not one either.',
    ],
    remedies: ['Correct the named fields. The OpenAPI document has the schema of each route.'],
    details: {
      fields:
        'List of `{field, messages}`: each wrong field by its path, `""` for the whole body. Absent where no field is to blame.',
    },
  },
  unauthorized: {
    meaning: 'Nobody is known to be asking.',
    causes: [
      'There is no credential, or it is mistyped, revoked, expired or of another service.',
      'The session has ended: by logout, a new password, a new e-mail address, or a refresh token that was used twice.',
      'At login: the e-mail address or password is wrong, or the code of the second factor is missing or wrong.',
    ],
    remedies: [
      'Refresh the access JWT (it lives ten minutes), or log in again.',
      'With `mfa_required`, send the same login with `mfa_code`.',
      'Have a new token issued.',
    ],
    details: { mfa_required: '`true`: only the code of the second factor is missing or wrong.' },
  },
  permission_denied: {
    meaning: 'This credential has no access here, or there is nothing here: the answer is the same.',
    causes: [
      'The organization or project does not exist, or its members do not include who asks.',
      'A token is bound to another organization or project, or lacks the scope.',
      'A page of another site sent the request with the cookie of a visitor.',
    ],
    remedies: [
      'Check the ids, and for which organization and project the token was made.',
      'Have a token with the scope issued; it names its scopes.',
    ],
  },
  insufficient_role: {
    meaning: 'Who asks is a member, and their role does not allow this.',
    causes: [
      'The role in the organization or project is lower than the route needs.',
      'A token or membership was to get a role above its creator’s own.',
    ],
    remedies: ['Ask an ADMIN of the organization for the role in `details.required_role`.'],
    details: { required_role: 'String: a role that would do.' },
  },
  email_not_verified: {
    meaning: 'The e-mail address of the account is not verified yet; until then it reads, and changes nothing.',
    causes: ['The link of the verification mail was not opened.'],
    remedies: ['Open the link, or ask for another: `POST /api/v1/developers/resend-verification`. Then retry.'],
  },
  operation_not_allowed: {
    meaning:
      'The request is well-formed, and not possible in the present state (400). As 403: a long-lived token was used on a surface that needs an interactive login.',
    causes: [
      'The plan does not include it: channels, releases and storage of one’s own need `business`.',
      'It would leave an organization without an ADMIN, or move storage that is in use.',
      'A build cannot be installed over the air; `details.reason` is then the code of its warning.',
      'As 403: a project access token or personal access token was sent to account, token or BYOSA management.',
    ],
    remedies: [
      'Change the state first; the message says which.',
      'As 403: log in by `POST /api/v1/login/email` and send the access JWT.',
    ],
    details: {
      required_plan: 'String: the plan that includes it.',
      organization_id: 'Uuid, with `last_admin`: the organization that would have no ADMIN.',
    },
  },
  quota_exceeded: {
    meaning: 'There are as many of these as are allowed.',
    causes: [
      'One more project, channel, tester, token, member, organization, open upload or open reservation was asked for.',
    ],
    remedies: [
      'Remove some that are no longer needed.',
      'Whoever runs the service can raise the limit: `QUOTA_*` in the configuration.',
    ],
    details: {
      quota: 'String: which, for example `projects_per_organization`.',
      limit: 'Integer: how many are allowed.',
    },
  },
  rate_limit_exceeded: {
    meaning: 'Too many requests came within the window. Nothing was done.',
    causes: [
      'The budget of the route’s class is used up: by this credential or, without one, by this address.',
      'Too many passwords are being checked at this moment.',
      'A tester was sent too many links within the hour.',
    ],
    remedies: [
      'Wait for `Retry-After`, then send the same request; a client that obeys succeeds.',
      'Spread the work: `RateLimit-Remaining` and `RateLimit-Reset` tell how much room is left.',
    ],
    details: { retry_after_seconds: 'Integer: the same as `Retry-After`.' },
  },
  spend_cap_exceeded: {
    meaning:
      'The organization pays afterwards, and what this will cost does not fit under its spend cap of this month.',
    causes: ['The month’s charges, with what is reserved by uploads and downloads under way, reach the cap.'],
    remedies: [
      'Raise the cap (`PATCH /api/v1/organizations/{organization_id}/billing`), or wait for the next month.',
      'Wait until open reservations are used or run out, at most half an hour.',
    ],
    details: SHORTAGE,
  },
  prepaid_credit_exhausted: {
    meaning: 'The organization pays in advance, and its credit does not cover what this will cost.',
    causes: ['The balance, less what is reserved by uploads and downloads under way, is too small.'],
    remedies: [
      'Top up (`POST /api/v1/organizations/{organization_id}/billing/top-ups`), then send the same request; an `Idempotency-Key` stays good.',
      'Wait until open reservations are used or run out, at most half an hour.',
    ],
    details: SHORTAGE,
  },
  payload_too_large: {
    meaning: 'The body or file is larger than this service accepts.',
    causes: ['A file is over `MAX_UPLOAD_BYTES`, or another body over a mebibyte.'],
    remedies: ['Make it smaller. Whoever runs the service can raise the limit for files.'],
    details: { max_bytes: 'Integer, for a file: how large it may be.' },
  },
  storage_backend_unavailable: {
    meaning: 'The database, or the store of the artifacts, cannot be reached at the moment. Nothing was changed.',
    causes: [
      'The database or store is down, restarting or overloaded, or the network to it is.',
      'The storage account of the organization refuses its credentials: see `POST /api/v1/organizations/{organization_id}/byosa/diagnose`.',
    ],
    remedies: [
      'Wait for `Retry-After`, then send the same request, with growing pauses; an `Idempotency-Key` stays good.',
    ],
  },
  internal_error: {
    meaning: 'Something went wrong on the side of the service. Nothing of the inside is shown.',
    causes: ['A fault of the service.'],
    remedies: [
      'Retry once, with the same `Idempotency-Key`.',
      'Report it with the request id: whoever runs the service finds its log lines by it.',
    ],
  },
};
