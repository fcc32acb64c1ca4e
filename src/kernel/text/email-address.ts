/** The key that identifies an e-mail address: NFC, lower case. Plus-addresses stay distinct. */
export const emailKeyOf = (email: string): string => email.normalize('NFC').toLowerCase();

/** RFC 5321, section 4.5.3.1.3 allows 256 octets including the angle brackets. */
const MAX_ADDRESS_OCTETS = 254;

/**
 * Without quoted local parts: they are not used in practice, and mail programs parse them differently. Without invisible characters (format
 * characters, Unicode's category Cf): an address that contains one looks like another, and gets no mail.
 */
const ADDRESS = /^[^\s\p{Cc}\p{Cf}<>()[\]\\,;:"@]+@[^\s\p{Cc}\p{Cf}<>()[\]\\,;:"@]+$/u;
const VISIBLE = /[^\s\p{Cf}]/u;

/** A pasted address without the spaces and invisible characters at its ends. */
export function trimAddress(text: string): string {
  const start = text.search(VISIBLE);
  let end = text.length;
  while (start >= 0 && !VISIBLE.test(text.charAt(end - 1))) end -= 1;
  return start < 0 ? '' : text.slice(start, end);
}

/** Whether `text` is one e-mail address, without characters that could add a second address, a header or a comment. */
export const isMailAddress = (text: string): boolean =>
  ADDRESS.test(text) && new TextEncoder().encode(text).length <= MAX_ADDRESS_OCTETS && text.isWellFormed();
