/** What a property list holds. Dictionaries are Maps: a key called `__proto__` is a key like any other. */
export type PlistValue = string | number | bigint | boolean | null | Date | Buffer | PlistValue[] | PlistDict;
export type PlistDict = Map<string, PlistValue>;

export const isDict = (value: PlistValue | undefined): value is PlistDict => value instanceof Map;

/** The text under a key; null when there is none, or something else lies there. */
export function textAt(dict: PlistDict | undefined, key: string): string | null {
  const value = dict?.get(key);
  return typeof value === 'string' ? value : null;
}

export function dictAt(dict: PlistDict | undefined, key: string): PlistDict | undefined {
  const value = dict?.get(key);
  return isDict(value) ? value : undefined;
}

export function listAt(dict: PlistDict | undefined, key: string): readonly PlistValue[] {
  const value = dict?.get(key);
  return Array.isArray(value) ? value : [];
}

/** The texts in the list under a key, whatever else may be in it. */
export const textsAt = (dict: PlistDict | undefined, key: string): string[] =>
  listAt(dict, key).filter((value) => typeof value === 'string');

/** The moment under a key; null when it is missing or is no moment. */
export function dateAt(dict: PlistDict | undefined, key: string): Date | null {
  const value = dict?.get(key);
  return value instanceof Date && Number.isFinite(value.getTime()) ? value : null;
}
