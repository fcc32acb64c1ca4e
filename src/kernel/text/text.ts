/** Whether PostgreSQL can store the text: it rejects U+0000 and lone surrogates. Requests with such text are rejected by validation. */
export const isStorableText = (value: string): boolean => !value.includes('\u0000') && value.isWellFormed();

/** Removes characters that PostgreSQL cannot store or that mislead a reader (NUL, lone surrogates, control and bidi characters). */
export function cleanText(value: string, maxLength: number): string {
  const visible = value
    .toWellFormed()
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffd]/gu, '')
    .trim();
  return [...visible].slice(0, maxLength).join('');
}
