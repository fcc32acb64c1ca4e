import { ApiError } from '@agate/client';
import { type FormErrors } from '../../ui';

/** Shows the rejection of a password or a code at its field. `texts`: by the reason in the response. */
export function formErrors(
  error: Error | null,
  texts: Readonly<Record<string, { readonly field: string; readonly message: string }>>,
): FormErrors | null {
  const reason = error instanceof ApiError ? error.details['reason'] : undefined;
  const text = typeof reason === 'string' ? texts[reason] : undefined;
  return text === undefined ? error : { message: text.message, fields: new Map([[text.field, text.message]]) };
}
