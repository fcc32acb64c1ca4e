/** One pasted line: a person's address, and their name if it is given. */
export interface PastedPerson {
  readonly email: string;
  readonly name: string | null;
}

export interface PastedPeople {
  readonly people: readonly PastedPerson[];
  /** Text between separators that is not an address. */
  readonly wrong: readonly string[];
}

const NAMED_QUOTED = /"([^"]*)"\s*<([^<>\s]+)>/g;
const NAMED = /^([^<>]*)<([^<>\s]+)>$/;

/** Whether a text looks like an address. The service decides; this check only detects obvious errors. */
const looksLikeAddress = (text: string): boolean => /^[^\s@,;<>"]+@[^\s@.,;<>"]+(\.[^\s@.,;<>"]+)*$/.test(text);

/** The person in a cell of a table: `tess@example.com`, or `Tess <tess@example.com>`. Null when it contains no address. */
export function personIn(cell: string): PastedPerson | null {
  if (looksLikeAddress(cell)) return { email: cell, name: null };
  const [, name = '', email = ''] = NAMED.exec(cell) ?? [];
  return looksLikeAddress(email) ? { email, name: name.replaceAll('"', '').trim() || null } : null;
}

/** Finds people in a text as mail programs and spreadsheets give it: with any separators, also as `Tess <tess@example.com>`. */
export function parseAddresses(text: string): PastedPeople {
  const people = new Map<string, PastedPerson>();
  const wrong: string[] = [];
  const add = (email: string, name = ''): void => {
    const key = email.toLowerCase();
    if (!looksLikeAddress(email)) wrong.push(email);
    else if (!people.has(key)) people.set(key, { email, name: name.trim().slice(0, 100) || null });
  };
  // Names in quotation marks may contain separators.
  const rest = text.replaceAll(NAMED_QUOTED, (_, name: string, email: string) => {
    add(email, name);
    return '\n';
  });
  for (const piece of rest.split(/[,;\r\n\t]+/)) {
    const named = NAMED.exec(piece.trim());
    if (named) add(named[2] ?? '', named[1]);
    else for (const word of piece.split(/\s+/).filter(Boolean)) add(word.replaceAll(/^<|>$/g, ''));
  }
  return { people: [...people.values()], wrong };
}
