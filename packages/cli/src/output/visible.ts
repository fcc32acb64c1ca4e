/** Characters on which a terminal acts (C0 without tab and line feed, DEL, C1), and those that change the order of what people see. */
const ACTIVE = /(?![\t\n])[\p{Cc}\p{Bidi_Control}]/gu;
/** Control characters that the service rejects in texts of several lines. */
const CONTROLS = /\r(?!\n)|(?![\t\n\r])\p{Cc}/gu;

/** Text for a terminal, in which such characters are escapes such as `\x1b`. Line breaks and tabs stay. */
export const visible = (text: string): string => text.replaceAll('\r\n', '\n').replace(ACTIVE, escaped);

/** JSON with the same content, in which such characters are escapes. */
export const visibleJson = (json: string): string =>
  json.replace(ACTIVE, (character) => `\\u${hexOf(character).padStart(4, '0')}`);

/** Text that the service accepts: without control characters, except tabs and line breaks. */
export const withoutControls = (text: string): string => text.replace(CONTROLS, '');

const escaped = (character: string): string => {
  const hex = hexOf(character);
  return hex.length > 2 ? `\\u${hex.padStart(4, '0')}` : `\\x${hex.padStart(2, '0')}`;
};

const hexOf = (character: string): string => character.charCodeAt(0).toString(16);
