import { type UiWords } from '../ui-words';

export type FieldElement = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

export const isField = (element: EventTarget): element is FieldElement =>
  element instanceof HTMLInputElement || element instanceof HTMLSelectElement || element instanceof HTMLTextAreaElement;

/** What is wrong with a field by the browser's checks, in the words of the page's language. `title` explains a `pattern`. */
export function validityMessage(field: FieldElement, words: UiWords): string {
  const { validity, title } = field;
  const attribute = (name: string): string => field.getAttribute(name) ?? '';
  if (validity.customError) return field.validationMessage;
  if (validity.valueMissing) return words.required;
  if (validity.typeMismatch && field.type === 'email') return words.invalidEmail;
  if (validity.typeMismatch) return words.invalidUrl;
  if (validity.tooShort) return words.tooShort(Number(attribute('minlength')));
  if (validity.tooLong) return words.tooLong(Number(attribute('maxlength')));
  if (validity.rangeUnderflow) return words.tooSmall(attribute('min'));
  if (validity.rangeOverflow) return words.tooLarge(attribute('max'));
  return title || words.invalidValue;
}
