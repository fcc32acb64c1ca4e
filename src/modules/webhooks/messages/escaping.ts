const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Escapes the characters between which Slack reads mentions and links, and Google Chat the tags of HTML. */
export const escapeEntities = (text: string): string =>
  text.replace(/[&<>]/g, (character) => ENTITIES[character] ?? character);

/** Escapes a text and shortens it, without cutting an escaped character, until the result has at most `length` characters. */
export function escapeWithin(text: string, length: number, escape: (text: string) => string): string {
  const escaped = escape(text);
  if (escaped.length <= length) return escaped;
  const kept = [...text];
  let result = escaped;
  while (result.length > length) {
    kept.pop();
    result = escape(`${kept.join('')}…`);
  }
  return result;
}
