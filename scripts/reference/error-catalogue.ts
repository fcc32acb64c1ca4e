import { ERROR_CATALOGUE, type ErrorEntry } from '#kernel/errors/catalogue';
import { code, page } from './markdown';

const INTRO = `Every 4xx and 5xx is JSON: \`{"error": code, "message": text for people, "details": object}\`. Match on the code: it
never changes. \`details.request_id\` is in every one of them; where a case has more to tell, it is named below. The
message is the default; most answers say something more to the point.`;

/** What `details` holds besides `request_id` (contract: specification §7 rules, and what the services add). */
const DETAILS: Readonly<Record<string, string>> = {
  validation_error: '`details.fields` is a list of `{field, messages}`.',
  invalid_input: '`details.reason` is a stable word for programs.',
  insufficient_role: '`details.required_role` is the role that would do.',
  quota_exceeded: '`details.quota` and `details.limit` name the quota.',
  rate_limit_exceeded: '`details.retry_after_seconds` is the same as `Retry-After`.',
};

/** One paragraph for each case of the catalogue. */
export const errorsPage = (): string =>
  page(
    'Errors',
    INTRO,
    ...Object.entries<ErrorEntry>(ERROR_CATALOGUE).flatMap(([name, entry]) => paragraph(name, entry)),
  );

function paragraph(name: string, { code: errorCode, status, message, level, retryAfterSeconds }: ErrorEntry): string[] {
  const text = [
    `${status}, ${code(errorCode)}. ${message}`,
    DETAILS[name],
    retryAfterSeconds !== undefined && `Carries \`Retry-After\` (${retryAfterSeconds} unless the case knows better).`,
    level !== 'info' && `Logged as ${level}.`,
  ];
  return [`## ${name}`, text.filter(Boolean).join(' ')];
}
