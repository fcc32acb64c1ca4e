/** RFC 5321 §4.5.3.1.3: 256 octets, brackets included. */
const MAX_ADDRESS_OCTETS = 254;

/** No quoted local parts: nobody has one, and every mail program reads them differently. */
const ADDRESS = /^[^\s\u0000-\u001f\u007f-\u009f<>()[\]\\,;:"@]+@[^\s\u0000-\u001f\u007f-\u009f<>()[\]\\,;:"@]+$/u;

/** Whether mail can be sent to it: one address, nothing that could become a second one, a header or a comment. */
export const isMailAddress = (text: string): boolean =>
  ADDRESS.test(text) && new TextEncoder().encode(text).length <= MAX_ADDRESS_OCTETS && text.isWellFormed();
