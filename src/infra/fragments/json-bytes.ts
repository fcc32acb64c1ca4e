/**
 * JSON as the bytes of its UTF-8, one character for each byte (Latin-1). Such texts are joined like others, and sent without being encoded
 * again: the encoding of a long page takes as long as all else that is done for it.
 */
export type JsonBytes = string;

/** Most texts are ASCII, which is its own UTF-8. */
export const bytesOfText = (text: string): JsonBytes =>
  Buffer.byteLength(text) === text.length ? text : Buffer.from(text).toString('latin1');

export const textOfBytes = (bytes: JsonBytes): string => Buffer.from(bytes, 'latin1').toString();
