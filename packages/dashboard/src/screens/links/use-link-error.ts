import { ApiError } from '@agate/client';
import { type FormErrors } from '../../ui';
import { useWords } from '../../words/words-provider';

/** The fields that the rejected rules belong to. */
const FIELDS: Readonly<Record<string, string>> = {
  expires_in_the_past: 'expires_at',
  password_required: 'password',
  terms_too_long: 'terms',
};

type LinkError = Error & FormErrors;

/** An error of the service about a link, as a sentence in the language of the page, at the field that it concerns. */
export function useLinkError(error: Error | null): LinkError | null {
  const { reasons } = useWords().links;
  if (!(error instanceof ApiError)) return error;
  const { quota } = error.details;
  const reason = error.reason ?? (typeof quota === 'string' ? quota : '');
  const sentence = reasons[reason];
  if (sentence === undefined) return error;
  const field = FIELDS[reason];
  return { name: error.name, message: sentence, ...(field && { fields: new Map([[field, sentence]]) }) };
}
