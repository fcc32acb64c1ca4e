/** A whole secret, as the service makes them, anywhere in what was typed. */
const SECRET = /ag_(?:prj|pat)_[\w-]{8,}/;

/** The last four characters of a pasted token; null when the text has none. The token itself must not be sent in an address. */
export const lastFourOf = (query: string): string | null => SECRET.exec(query)?.[0].slice(-4) ?? null;

/** The text to search for. Empty when it contains a token. Words that only say what kind of thing is meant are left out. */
export function searchableText(query: string): string {
  if (SECRET.test(query)) return '';
  const text = query.trim();
  return text.replace(/^(?:commit|branch|build|version|tester)\s+(?=\S)/i, '');
}
