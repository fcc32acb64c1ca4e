import { type ErrorCode } from '#kernel/errors/catalogue';

export interface ErrorGuide {
  /** Meaning of the code, in a sentence or two. */
  readonly meaning: string;
  /** When the API responds with it. */
  readonly causes: readonly string[];
  /** What a client or its developer should do. */
  readonly remedies: readonly string[];
  /** Fields of `details` besides `request_id` and `reason`. */
  readonly details?: Readonly<Record<string, string>>;
}

const SHORTAGE = {
  required_micro_usd: 'Integer. The estimated cost of the operation.',
  available_micro_usd: 'Integer. The amount that is neither spent nor reserved.',
};

/** The texts of the pages in docs/generated/errors, one per code. */
export const ERROR_GUIDE: Readonly<Record<ErrorCode, ErrorGuide>> = {
  not_found: {
    meaning: 'No resource exists at this URL, or not under the given parents.',
    causes: [
      'The API has no such path, or the path does not support this method.',
      'The resource does not exist, was deleted, or belongs to another project or organization.',
      'An install link, a download URL or a part URL has expired, was revoked, or never existed.',
    ],
    remedies: [
      'Compare the path and the ids with the responses of the lists. Parent ids are query parameters.',
      'Request a new link or download URL. Do not retry with the old one.',
    ],
  },
  already_exists: {
    meaning: 'The resource already exists, or the operation was already performed.',
    causes: [
      'Another resource has the same name, e-mail address or other unique value.',
      'The link, promotion or payment was already used.',
      'The first request with the same `Idempotency-Key` is still in progress.',
    ],
    remedies: [
      'Use the existing resource, or choose another name.',
      'With the reason `idempotency_in_flight`, wait for the seconds in `Retry-After` and retry with the same key.',
    ],
  },
  dependency_exists: {
    meaning: 'Other resources depend on the one that you want to remove or change.',
    causes: [
      'A project still has builds, an organization has projects, or a channel has current releases.',
      'A build is the current release of a channel.',
      'Channels or an own storage account prevent a change of the plan.',
      'An organization that owes money is to be deleted.',
    ],
    remedies: ['Remove the dependent resources first, or pay what is owed. The message says which.'],
    details: { owed_micro_usd: 'Integer, with `balance_owed`: what the organization owes.' },
  },
  invalid_input: {
    meaning: 'The request matches the schema, but a value is not accepted. `details.reason` is a stable word.',
    causes: [
      'A file is damaged, malicious, or not of the type that it claims.',
      'A token, code, password or captcha in the body is wrong, expired or already used.',
      'Values contradict each other or existing data.',
      'With status 416: the requested range starts after the end of the file.',
    ],
    remedies: ['Handle the reason; the table below explains each. Retrying the same request fails again.'],
    details: {
      bundle_id: 'String, with `bundle_id_mismatch`: the bundle id of the file.',
      expected_bundle_id: 'String, with `bundle_id_mismatch`: the bundle id of the project.',
      checks: 'List of `{name, status, message, duration_ms}`, with `checks_failed`.',
      missing_parts: 'List of part numbers, with `parts_missing`.',
      sha256: 'String, with `sha256_mismatch`: the hash of the received file.',
      size_bytes: 'Integer, with status 416: the size of the file.',
      contrast: 'Number, with `accent_contrast`: the lowest contrast of the accent with what it is used on.',
      min_contrast: 'Number, with `accent_contrast`: the contrast that is needed.',
      max_bytes: 'Integer, with `logo_too_large`: the maximum size.',
      max_pixels: 'Integer, with `logo_too_large`: the maximum width and height.',
    },
  },
  validation_error: {
    meaning: 'The request does not match the schema of the route.',
    causes: [
      'A field or parameter is missing, unknown, of the wrong type, too long or too large.',
      'The body is not JSON, or not of the declared content type.',
      'A string contains U+0000 or a lone surrogate. An id or an `Idempotency-Key` is not a UUID.',
    ],
    remedies: ['Correct the listed fields. The OpenAPI document has the schema of each route.'],
    details: {
      fields:
        'List of `{field, messages}`: each invalid field by its path, `""` for the whole body. Absent when no single field is invalid.',
    },
  },
  unauthorized: {
    meaning: 'The caller is not authenticated.',
    causes: [
      'The credential is missing, malformed, revoked, expired or of another service.',
      'The session has ended: by logout, a new password, a new e-mail address, or reuse of a refresh token.',
      'At login: the e-mail address or password is wrong, the second-factor code is missing or wrong, or the account is suspended.',
    ],
    remedies: [
      'Refresh the access JWT, which expires after ten minutes, or log in again.',
      'With `mfa_required`, repeat the login with `mfa_code`.',
      'Create a new token.',
    ],
    details: {
      mfa_required: '`true` if only the second-factor code is missing or wrong.',
      captcha_required: '`true` if the next login needs a solved captcha.',
    },
  },
  permission_denied: {
    meaning: 'The credential has no access to the resource, or the resource does not exist. The response is the same.',
    causes: [
      'The organization or project does not exist, or the caller is not a member of it.',
      'The token belongs to another organization or project, or lacks the scope.',
      'A page of another site sent the request with the cookie of a visitor.',
    ],
    remedies: [
      'Check the ids, and the organization and project of the token.',
      'Create a token with the required scope.',
    ],
  },
  insufficient_role: {
    meaning: 'The caller is a member, but their role does not allow the operation.',
    causes: [
      'The role in the organization or project is lower than the route requires.',
      'The request would give a token or membership a higher role than the caller has.',
    ],
    remedies: ['Ask an ADMIN of the organization for the role in `details.required_role`.'],
    details: { required_role: 'String: a role that is sufficient.' },
  },
  email_not_verified: {
    meaning: 'The e-mail address of the account is not verified. Until then the account can only read.',
    causes: ['The link in the verification mail was not opened.'],
    remedies: ['Open the link, or request another with `POST /api/v1/developers/resend-verification`. Then retry.'],
  },
  operation_not_allowed: {
    meaning:
      'The operation is not possible in the current state (400), or the route requires an interactive login (403).',
    causes: [
      'The plan does not include it: channels, releases and own storage accounts require `business`.',
      'A spend cap is higher than members can set, or is set on a prepaid plan.',
      'It would leave an organization without an ADMIN, or replace storage that is in use.',
      'A build cannot be installed over the air; `details.reason` is the code of its warning.',
      'With status 403: a project access token or personal access token was used for account, token or BYOSA management.',
    ],
    remedies: [
      'Change the state first, as the message says.',
      'With status 403: log in with `POST /api/v1/login/email` and send the access JWT.',
    ],
    details: {
      required_plan: 'String: the plan that includes the operation.',
      organization_id: 'UUID, with `last_admin`: the organization that would have no ADMIN.',
      limit_micro_usd: 'Integer, with `spend_cap_above_limit`: the highest cap that members can set.',
    },
  },
  quota_exceeded: {
    meaning: 'The maximum number of such resources is reached.',
    causes: [
      'The limit of projects, channels, testers, tokens, members, organizations, open uploads or open reservations is reached.',
    ],
    remedies: [
      'Remove resources that you no longer need.',
      'Operators can raise the limit: see `QUOTA_*` in the configuration.',
    ],
    details: {
      quota: 'String: the name of the quota, for example `projects_per_organization`.',
      limit: 'Integer: the maximum number.',
    },
  },
  rate_limit_exceeded: {
    meaning: 'Too many requests within the window. The request had no effect.',
    causes: [
      'The rate limit of the route is exhausted for the developer or project of the credential or, without one, for this address.',
      'Too many passwords of your network are being checked at the moment, or too many logins failed.',
      'Too many links were sent to a tester within an hour.',
      'Downloads through an install link hold their share of the credit, or broke off too often at this address.',
    ],
    remedies: [
      'Wait for the seconds in `Retry-After`, then repeat the request.',
      'With `captcha_required`, solve a challenge of `GET /captcha?for=login`, then repeat the login with `captcha`.',
      'Spread the requests: `RateLimit-Remaining` and `RateLimit-Reset` show what is left.',
    ],
    details: {
      retry_after_seconds: 'Integer: the value of `Retry-After`.',
      captcha_required: '`true` if a login with a solved captcha need not wait.',
    },
  },
  spend_cap_exceeded: {
    meaning: 'The organization pays afterwards, and the cost would exceed its spend cap for this month.',
    causes: ['The charges of the month and the reservations of running uploads and downloads reach the cap.'],
    remedies: [
      'Raise the cap with `PATCH /api/v1/organizations/{organization_id}/billing`, ask the operators for a higher one, or wait until next month.',
      'Wait until open reservations are settled or expire, at most half an hour.',
    ],
    details: SHORTAGE,
  },
  prepaid_credit_exhausted: {
    meaning: 'The organization pays in advance, and its credit does not cover the cost.',
    causes: ['The balance minus the reservations of running uploads and downloads is too small.'],
    remedies: [
      'Top up with `POST /api/v1/organizations/{organization_id}/billing/top-ups`, then retry. An `Idempotency-Key` stays valid.',
      'Wait until open reservations are settled or expire, at most half an hour.',
    ],
    details: SHORTAGE,
  },
  payload_too_large: {
    meaning: 'The body or file is larger than the service accepts.',
    causes: [
      'A file is larger than `MAX_UPLOAD_BYTES`, or another body is larger than its route accepts: 64 KiB for most routes.',
    ],
    remedies: ['Send a smaller body. Operators can raise the limit for files.'],
    details: { max_bytes: 'Integer, for a file: the maximum size.' },
  },
  storage_backend_unavailable: {
    meaning:
      'The database or the store of the artifacts is unavailable. Nothing was changed, unless the connection broke during the commit.',
    causes: [
      'The database or store is down, restarting or overloaded, or the network to it fails.',
      'The storage account of the organization rejects its credentials: see `POST /api/v1/organizations/{organization_id}/byosa/diagnose`.',
    ],
    remedies: [
      'Wait for the seconds in `Retry-After`, then retry with increasing pauses. An `Idempotency-Key` stays valid.',
    ],
  },
  internal_error: {
    meaning: 'An internal error of the service. The response reveals no internals.',
    causes: ['A bug in the service.'],
    remedies: [
      'Retry once, with the same `Idempotency-Key`.',
      'Report it with the request id, by which operators find the log lines.',
    ],
  },
};
