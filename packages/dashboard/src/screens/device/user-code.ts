const LETTERS = /^[BCDFGHJKLMNPQRSTVWXZ]{8}$/;

const lettersOf = (text: string): string => text.replaceAll(/[\s-]/g, '').toUpperCase();

/** Whether a text has the form of a code. Other texts are never sent, because the service counts wrong codes. */
export const isUserCode = (text: string): boolean => LETTERS.test(lettersOf(text));

/** A code in the form that programs show: `WDJB-MJHT`. */
export function asShown(text: string): string {
  const letters = lettersOf(text);
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
}
