import { type ErrorCode } from '#kernel/errors/catalogue';
import { INSPECTION_ERRORS } from '../../src/infra/artifact-inspection/inspection-errors';

/** The values of `details.reason` by error code, with their meaning. Programs match on them like on the code. */
export const ERROR_REASONS: Readonly<Partial<Record<ErrorCode, Readonly<Record<string, string>>>>> = {
  invalid_input: {
    amount_not_payable: 'The payment provider does not accept this amount.',
    arch_mismatch: 'The header of the file names another architecture than `arch`.',
    bad_signature: 'The signature of the notification is invalid.',
    blockmap_too_large: 'A block map has at most `limit_bytes`.',
    bundle_id_mismatch: 'The project is pinned to another bundle id (`bundle_id`, `expected_bundle_id`).',
    captcha_invalid: 'The captcha is wrong, expired or already used.',
    captcha_required: 'The request requires a solved captcha.',
    checks_failed: 'The checks of a storage account failed; `details.checks` lists each result.',
    contradictory_change:
      'Parts of the change exclude each other: the whole set and changes of it, or adding and removing the same tester.',
    expires_in_the_past: '`expires_at` is in the past.',
    filter_required: 'The filter of a deletion has no condition.',
    idempotency_key_reused: 'The same `Idempotency-Key` was used for a different request.',
    ids_or_filter: 'A deletion has ids and a filter.',
    invitation_unusable: 'The invitation belongs to another address, was already used, or has expired.',
    link_expired: 'The mailed link was already used or has expired.',
    manifest_damaged: 'Operators only: the manifest of the backup is damaged.',
    manifest_unknown: 'Operators only: the backup was made by a newer version.',
    malformed_multipart: 'The multipart body is truncated, or its boundaries are invalid.',
    no_device_id: 'The answer of a device to a profile contains no device id.',
    part_size_mismatch: 'A part of a resumable upload has the wrong size.',
    parts_mismatch: 'The uploaded parts do not match the file. Send them again.',
    parts_missing: 'Some parts were not uploaded; `details.missing_parts` lists them.',
    platform_mismatch: 'The file is for another platform than the request names.',
    platform_required: 'This type of file does not contain its platform. Send `platform`.',
    range_invalid: 'The range of days is empty or has more than 366 days.',
    rule_without_condition: 'A rule of retention has neither `keep_last` nor `keep_days`.',
    sha256_mismatch: 'The received file has another hash than announced; `details.sha256` is its hash.',
    unreadable_answer:
      'The answer of a device to a profile is not a signed property list, or its signature does not match.',
    two_targets: 'A link belongs to a build or to a channel, not to both.',
    upload_aborted: 'The client disconnected before the upload was complete.',
    upload_stalled: 'The upload was idle for too long.',
    upload_too_slow: 'The upload sent fewer bytes per second than required. Upload in parts, which can be resumed.',
    version_required: 'This type of file does not contain its version. Send `version`.',
    wrong_challenge: 'The answer of a device is for another profile.',
    wrong_code: 'The second-factor code is wrong, expired or already used.',
    wrong_password: 'The current password is wrong.',
    ...INSPECTION_ERRORS,
  },
  unauthorized: {
    account_suspended: 'An operator suspended the account. Contact the operator of the service.',
    duplicate_cookie:
      'A cookie of the session was sent several times. Delete the cookies of the service and of its parent domain, then log in again.',
  },
  already_exists: {
    idempotency_in_flight:
      'The first request with this `Idempotency-Key` is still in progress. Wait for the seconds in `Retry-After`.',
  },
  dependency_exists: {
    balance_owed: 'The organization owes money (`owed_micro_usd`), so it cannot be deleted.',
    byosa: 'The organization has its own storage account.',
  },
  rate_limit_exceeded: {
    link_downloads_reached:
      'Downloads of a build through an install link broke off at this address three times in half an hour.',
  },
  operation_not_allowed: {
    access_denied: 'The developer cancelled the login of the program, or their account is suspended. Start again.',
    already_decided: 'You confirmed or cancelled this login of a program before.',
    authorization_pending: 'No developer has confirmed the login of the program yet. Repeat after the interval.',
    backup_changed: 'Operators only: the manifest of the backup was changed after the backup was made.',
    backup_unauthenticated:
      'Operators only: the backup has no authentication. If no other person could write to its folder, add `--unauthenticated`.',
    build_pinned: 'The build is pinned. Unpin it first.',
    clock_ahead:
      'Operators only: the clock is more than two days ahead of the last sweep. Check it, then run `clock confirm`.',
    confirmation_declined: 'Agents only: the person declined the call.',
    confirmation_expired: 'Agents only: the confirmation is older than five minutes.',
    confirmation_invalid: 'Agents only: the text is no confirmation of this service.',
    confirmation_mismatch: 'Agents only: the confirmation belongs to other arguments or another token.',
    confirmation_used: 'Agents only: the confirmation was used before.',
    clock_skew: 'Operators only: the clocks of this machine and of the database differ by more than 30 seconds.',
    database_not_empty: 'Operators only: the database to restore into is not empty. Use an empty one.',
    expired_token: 'The code of the login of a program expired, was used, or does not exist. Start again.',
    folder_not_empty: 'Operators only: the backup folder contains other files.',
    no_dashboard: 'The service has no page to confirm the login of a program. Log in with the password.',
    other_keys: 'Operators only: the backup was made with other keys.',
    other_version: 'Operators only: the backup was made by a later version, which the message names.',
    own_storage_not_empty: "Operators only: the organization's own storage could not be emptied yet.",
    preview_expired: 'The preview is more than an hour old. Preview it again.',
    preview_required: 'What is deleted was not previewed, or the fingerprint is of another preview.',
    webhook_creator_lost_access:
      'The creator of the webhook may no longer have it. Resume the webhook to take it over.',
    webhook_no_event: 'There is no event of this type in the last 90 days. Send a test without a type.',
    webhook_not_https: 'The URL of the webhook is not https, and operators of this service do not exempt its host.',
    webhook_not_public: 'The address in the URL of the webhook is not public, and operators do not exempt it.',
    webhook_own_host: 'The URL of the webhook leads to this service.',
    webhook_port: 'The port in the URL of the webhook is below 1024, and neither 80 nor 443.',
    byosa_in_use: 'The storage account contains artifacts, so only its credentials can change.',
    last_admin: 'The last ADMIN of an organization (`organization_id`) cannot leave it.',
    sign_up_rejected: 'The service creates no account for this address (`SIGN_UP`). Ask its operator for one.',
    slow_down: 'The program requests its token too often. Wait five seconds longer between two requests.',
    spend_cap_above_limit: 'Members can set a spend cap up to `limit_micro_usd`. Operators can grant a higher one.',
    not_current:
      'Another release replaced the one of the request (status 409). Use the current release of the channel.',
    unopened: 'The tester got three mails and opened none of their links. No further mail is sent until they open one.',
    token_expired: 'The token has expired, so it cannot be rotated. Create a new one.',
    suppressed: 'This tester unsubscribed. Only they can resubscribe.',
  },
};
