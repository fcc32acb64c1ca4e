/** A token, or enough of one, anywhere in what was typed. */
const SECRET = /ag_(?:prj|pat)_[\w-]{8,}/;

/** Whether a token, or the beginning of one, was typed or pasted. It must not be sent in an address. */
export const isSecret = (query: string): boolean => SECRET.test(query);

/** The text to search for. Empty when it contains a token. Words that only say what kind of thing is meant are left out. */
export function searchableText(query: string): string {
  if (isSecret(query)) return '';
  const text = query.trim();
  return text.replace(/^(?:commit|branch|build|version|tester)\s+(?=\S)/i, '');
}
