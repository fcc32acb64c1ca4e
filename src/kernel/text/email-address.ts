/** The key that identifies an e-mail address: NFC, lower case. Plus-addresses stay distinct. */
export const emailKeyOf = (email: string): string => email.normalize('NFC').toLowerCase();

/** RFC 5321, section 4.5.3.1.3 allows 256 octets including the angle brackets. */
const MAX_ADDRESS_OCTETS = 254;

/** Without quoted local parts: they are not used in practice, and mail programs parse them differently. */
const ADDRESS = /^[^\s\p{Cc}<>()[\]\\,;:"@]+@[^\s\p{Cc}<>()[\]\\,;:"@]+$/u;

/** Whether `text` is one e-mail address, without characters that could add a second address, a header or a comment. */
export const isMailAddress = (text: string): boolean =>
  ADDRESS.test(text) && new TextEncoder().encode(text).length <= MAX_ADDRESS_OCTETS && text.isWellFormed();
