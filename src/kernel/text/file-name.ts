import { cleanText } from './text';

const MAX_BYTES = 255;
const MAX_EXTENSION_BYTES = 32;
const UNNAMED = 'artifact';

const sizeBytes = (text: string): number => new TextEncoder().encode(text).length;

/** The longest start of `text` of at most `maxBytes` of UTF-8, never half a character. */
function cut(text: string, maxBytes: number): string {
  let kept = '';
  let bytes = 0;
  for (const character of text) {
    bytes += sizeBytes(character);
    if (bytes > maxBytes) break;
    kept += character;
  }
  return kept;
}

/**
 * A client's file name made fit to be shown, and to be offered to a browser as the name of a download; never to be used as
 * a path of ours. Folders of both kinds, control, bidi and invisible characters go; what is left has at most 255 bytes of
 * UTF-8, the longest name file systems take, and keeps its extension; an empty one is `artifact`.
 */
export function shownFileName(raw: string): string {
  const last = raw.slice(Math.max(raw.lastIndexOf('/'), raw.lastIndexOf('\\')) + 1);
  const clean = cleanText(
    last.replace(/[\t\r\n\u061c\u200b-\u200d\u2028\u2029\u2060\ufeff]/g, ''),
    last.length,
  ).normalize('NFC');
  if (/^[.\s]*$/.test(clean)) return UNNAMED;
  const dot = clean.lastIndexOf('.');
  const extension = dot > 0 ? clean.slice(dot) : '';
  if (sizeBytes(extension) > MAX_EXTENSION_BYTES) return cut(clean, MAX_BYTES);
  return cut(clean.slice(0, clean.length - extension.length), MAX_BYTES - sizeBytes(extension)) + extension;
}
