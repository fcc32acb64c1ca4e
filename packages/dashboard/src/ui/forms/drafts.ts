import { type UiWords } from '../ui-words';

/** The texts of one form by the names of its fields. Kept in memory only: typed text may be confidential. */
type Draft = ReadonlyMap<string, string>;

const drafts = new Map<string, Draft>();

const fieldsOf = (form: HTMLFormElement): FieldElement[] =>
  [...form.elements]
    .filter(isField)
    .filter((field) => field.name !== '' && !UNKEPT.has(field.type) && !isPassword(field));

/** Secrets must be typed again. A script cannot put a file back into its field. */
const UNKEPT = new Set(['password', 'file', 'hidden', 'submit', 'button']);

/** Forms are identified by their screen and their fields. */
const keyOf = (form: HTMLFormElement): string =>
  [location.pathname, ...fieldsOf(form).map(({ name }) => name)].join(' ');

/** A password field, including one that shows its text. */
const isPassword = ({ autocomplete }: FieldElement): boolean => autocomplete.endsWith('password');

const isToggle = (field: FieldElement): field is HTMLInputElement =>
  field instanceof HTMLInputElement && (field.type === 'checkbox' || field.type === 'radio');

/** Keeps the typed text of the screen's forms before the screen is removed: the session has ended, and the login is shown. */
export function keepDrafts(): void {
  for (const form of document.forms) {
    const texts = fieldsOf(form).filter((field) => !isToggle(field));
    if (texts.length > 0) drafts.set(keyOf(form), new Map(texts.map(({ name, value }) => [name, value])));
  }
}

/** Whether text is kept for a form that is not shown at present. */
export const hasDrafts = (): boolean => drafts.size > 0;

/** Fills a form that appears with the texts that were kept for it. */
export function restoreDraft(form: HTMLFormElement): void {
  const key = keyOf(form);
  const draft = drafts.get(key);
  drafts.delete(key);
  for (const field of fieldsOf(form)) {
    const text = draft?.get(field.name);
    if (text !== undefined && text !== field.value && !isToggle(field)) typeInto(field, text);
  }
}

/** Changes a field as if its user had typed. React detects only changes that bypass its own setter. */
export function typeInto(field: FieldElement, text: string): void {
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, text);
  field.dispatchEvent(new Event(field instanceof HTMLSelectElement ? 'change' : 'input', { bubbles: true }));
}

export type FieldElement = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

export const isField = (element: EventTarget): element is FieldElement =>
  element instanceof HTMLInputElement || element instanceof HTMLSelectElement || element instanceof HTMLTextAreaElement;

/** The violated browser check of a field, in the words of the page's language. `title` explains a `pattern`. */
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
