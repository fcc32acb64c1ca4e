import { cleanText } from './text';

const MAX_BYTES = 255;
const MAX_EXTENSION_BYTES = 32;
const UNNAMED = 'artifact';

const sizeBytes = (text: string): number => new TextEncoder().encode(text).length;

/** The longest prefix of `text` that has at most `maxBytes` in UTF-8, in whole characters. */
function truncate(text: string, maxBytes: number): string {
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
 * Cleans a client's file name for display and as the suggested name of a download. Not for paths of this service. Removes folders (`/` and
 * `\`) and control, bidi and invisible characters, and shortens the name to 255 bytes of UTF-8, the limit of file systems, keeping its
 * extension. An empty name becomes `artifact`.
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
  if (sizeBytes(extension) > MAX_EXTENSION_BYTES) return truncate(clean, MAX_BYTES);
  return truncate(clean.slice(0, clean.length - extension.length), MAX_BYTES - sizeBytes(extension)) + extension;
}
