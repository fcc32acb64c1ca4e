/**
 * JSON in UTF-8, as a string with one character for each byte (Latin-1). Such strings are joined like others, and sent without being
 * encoded again: encoding a long page would take as long as all other work for it.
 */
export type JsonBytes = string;

/** Most texts are ASCII, which is its own UTF-8. */
export const bytesOfText = (text: string): JsonBytes =>
  Buffer.byteLength(text) === text.length ? text : Buffer.from(text).toString('latin1');

export const textOfBytes = (bytes: JsonBytes): string => Buffer.from(bytes, 'latin1').toString();
