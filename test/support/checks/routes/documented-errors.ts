import { type ErrorCode } from '#kernel/errors/catalogue';
import { ERROR_GUIDE } from '../../../../scripts/reference/error-guide';
import { ERROR_REASONS } from '../../../../scripts/reference/error-reasons';
import { type Envelope } from './route-requests';

/** Returns the fields of `details` and the reasons of an error that its page in docs/generated/errors does not list. */
export function undocumentedDetails(envelope: Envelope | null): string[] {
  if (!envelope) return [];
  const error = envelope.error as ErrorCode;
  const fields = ['request_id', 'reason', ...Object.keys(ERROR_GUIDE[error].details ?? {})];
  const unknown = Object.keys(envelope.details).filter((field) => !fields.includes(field));
  const reason = envelope.details['reason'] as string | undefined;
  // Errors of install links may use the code of a warning as their reason.
  const isKnown = reason === undefined || error === 'operation_not_allowed' || reason in (ERROR_REASONS[error] ?? {});
  return [
    ...unknown.map((field) => `details.${field} of ${error} is not documented`),
    ...(isKnown ? [] : [`the reason ${reason} of ${error} is not documented`]),
  ];
}
