/** Whether PostgreSQL can store the text: it rejects U+0000 and lone surrogates. Requests with such text are rejected by validation. */
export const isStorableText = (value: string): boolean => !value.includes('\u0000') && value.isWellFormed();

/** Control characters (C0, DEL, C1): terminals, logs and CSV readers act on them. */
const CONTROLS = /\p{Cc}/u;

/** Whether a text is one line that no terminal acts on. */
export const isLine = (value: string): boolean => !CONTROLS.test(value);

/** Whether a text consists of such lines, between which are line breaks, and in which are tabs. */
export const isLines = (value: string): boolean => isLine(value.replaceAll(/\r?\n|\t/g, ''));

/**
 * One line without the characters that PostgreSQL cannot store or that mislead a reader (NUL, lone surrogates, control and bidi
 * characters). Line breaks and tabs become spaces.
 */
export function cleanText(value: string, maxLength: number): string {
  const visible = value
    .toWellFormed()
    .replace(/[\t\n\r\u2028\u2029]+/gu, ' ')
    .replace(/[\p{Cc}\p{Bidi_Control}\ufffd]/gu, '')
    .trim();
  return [...visible].slice(0, maxLength).join('');
}
