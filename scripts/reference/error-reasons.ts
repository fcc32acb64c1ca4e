import { type ErrorCode } from '#kernel/errors/catalogue';
import { INSPECTION_ERRORS } from '../../src/infra/artifact-inspection/inspection-errors';

/** `details.reason` of the API's errors, by code: what each word says. Programs match on it as on the code. */
export const ERROR_REASONS: Readonly<Partial<Record<ErrorCode, Readonly<Record<string, string>>>>> = {
  invalid_input: {
    amount_not_payable: 'The payment provider takes no such amount.',
    bad_signature: 'The notification does not come from the payment provider.',
    bundle_id_mismatch: 'The project is pinned to another bundle id (`bundle_id`, `expected_bundle_id`).',
    captcha_invalid: 'The captcha is wrong, has expired, or was used before.',
    captcha_required: 'This request needs a solved captcha.',
    checks_failed: 'The checks of a storage account did not pass; `details.checks` has each of them.',
    expires_in_the_past: '`expires_at` is over already.',
    idempotency_key_reused: 'The same `Idempotency-Key` was used for something else.',
    invitation_unusable: 'The invitation is for another address, was used, or has expired.',
    link_expired: 'The mailed link was used before, or has expired.',
    manifest_damaged: 'An operator restores a backup whose manifest is damaged.',
    manifest_unknown: 'An operator restores a backup of a newer version.',
    malformed_multipart: 'The multipart body breaks off, or its boundaries do not fit.',
    part_size_mismatch: 'A part of a resumable upload is not as long as it must be.',
    parts_mismatch: 'The parts that arrived are not those of the file; send them again.',
    parts_missing: 'Some parts have not arrived: `details.missing_parts`.',
    platform_mismatch: 'The file is not for the platform that was named.',
    platform_required: 'This kind of file does not tell its platform.',
    sha256_mismatch: 'The file that arrived is not the announced one; `details.sha256` is what arrived.',
    two_targets: 'A link opens a build or a channel, not both.',
    upload_aborted: 'The client went away before its upload was complete.',
    upload_stalled: 'No byte arrived for too long.',
    version_required: 'This kind of file does not tell its version.',
    wrong_code: 'The code of the second factor is wrong, too old, or was used before.',
    wrong_password: 'The current password is not this one.',
    ...INSPECTION_ERRORS,
  },
  already_exists: {
    idempotency_in_flight: 'The first request with this `Idempotency-Key` is still at work; wait for `Retry-After`.',
  },
  dependency_exists: {
    byosa: 'The organization has a storage account of its own.',
  },
  operation_not_allowed: {
    database_not_empty: 'An operator restores into a database that holds something: name an empty one.',
    folder_not_empty: 'An operator backs up into a folder that holds something else.',
    other_keys: 'An operator restores a backup with keys that are not those it was made with.',
    other_version: 'An operator restores a backup that another version made.',
    own_storage_not_empty: 'An operator erases an organization whose own storage could not be emptied yet.',
    byosa_in_use: 'Artifacts lie in the storage account: only its credentials can change.',
    last_admin: 'The last ADMIN of an organization (`organization_id`) cannot go.',
    suppressed: 'This person has unsubscribed, and comes back by themself only.',
  },
};
