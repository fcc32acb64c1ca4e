import { type UiWords } from '../ui-words';

/** The texts of one form by the names of its fields. Kept in memory only: what is typed may be confidential. */
type Draft = ReadonlyMap<string, string>;

const drafts = new Map<string, Draft>();

const fieldsOf = (form: HTMLFormElement): FieldElement[] =>
  [...form.elements]
    .filter(isField)
    .filter((field) => field.name !== '' && !UNKEPT.has(field.type) && !isPassword(field));

/** Secrets are typed again. A file cannot be given back to its field. */
const UNKEPT = new Set(['password', 'file', 'hidden', 'submit', 'button']);

/** The screen and the fields tell forms apart. */
const keyOf = (form: HTMLFormElement): string =>
  [location.pathname, ...fieldsOf(form).map(({ name }) => name)].join(' ');

/** Also while the password is shown as text. */
const isPassword = ({ autocomplete }: FieldElement): boolean => autocomplete.endsWith('password');

const isToggle = (field: FieldElement): field is HTMLInputElement =>
  field instanceof HTMLInputElement && (field.type === 'checkbox' || field.type === 'radio');

/** Keeps what is typed in the forms of the screen, before the screen goes: the session has ended, and the login comes first. */
export function keepDrafts(): void {
  for (const form of document.forms) {
    const texts = fieldsOf(form).filter((field) => !isToggle(field));
    if (texts.length > 0) drafts.set(keyOf(form), new Map(texts.map(({ name, value }) => [name, value])));
  }
}

/** Gives a form that appears the texts that were kept for it. */
export function restoreDraft(form: HTMLFormElement): void {
  const key = keyOf(form);
  const draft = drafts.get(key);
  drafts.delete(key);
  for (const field of fieldsOf(form)) {
    const text = draft?.get(field.name);
    if (text === undefined || text === field.value || isToggle(field)) continue;
    // React notices only changes that go past its own setter.
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, text);
    field.dispatchEvent(new Event(field instanceof HTMLSelectElement ? 'change' : 'input', { bubbles: true }));
  }
}

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
