import { type ErrorCode } from '#kernel/errors/catalogue';
import { ERROR_GUIDE } from '../../../scripts/reference/error-guide';
import { ERROR_REASONS } from '../../../scripts/reference/error-reasons';
import { type Envelope } from './route-requests';

/** What in an error its page (docs/generated/errors) does not name: fields of `details`, and reasons. */
export function undocumentedDetails(envelope: Envelope | null): string[] {
  if (!envelope) return [];
  const error = envelope.error as ErrorCode;
  const fields = ['request_id', 'reason', ...Object.keys(ERROR_GUIDE[error].details ?? {})];
  const unknown = Object.keys(envelope.details).filter((field) => !fields.includes(field));
  const reason = envelope.details['reason'] as string | undefined;
  // An error of an install link may have the code of a warning for a reason.
  const isKnown = reason === undefined || error === 'operation_not_allowed' || reason in (ERROR_REASONS[error] ?? {});
  return [
    ...unknown.map((field) => `details.${field} of ${error} is not documented`),
    ...(isKnown ? [] : [`the reason ${reason} of ${error} is not documented`]),
  ];
}
