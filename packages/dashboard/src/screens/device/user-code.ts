const LETTERS = /^[BCDFGHJKLMNPQRSTVWXZ]{8}$/;

const lettersOf = (text: string): string => text.replaceAll(/[\s-]/g, '').toUpperCase();

/** Whether a text can be a code of a program. A text that cannot is never sent: the service counts wrong codes. */
export const isUserCode = (text: string): boolean => LETTERS.test(lettersOf(text));

/** A code as programs show it: `WDJB-MJHT`. */
export function asShown(text: string): string {
  const letters = lettersOf(text);
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
}
