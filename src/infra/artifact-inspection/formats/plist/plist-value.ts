/** A value of a property list. Dictionaries are Maps, so a key `__proto__` is harmless. */
export type PlistValue = string | number | bigint | boolean | null | Date | Buffer | PlistValue[] | PlistDict;
export type PlistDict = Map<string, PlistValue>;

export const isDict = (value: PlistValue | undefined): value is PlistDict => value instanceof Map;

/** The string of a key. `null` when it is missing or not a string. */
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

/** The strings in the array of a key; skips other values. */
export const textsAt = (dict: PlistDict | undefined, key: string): string[] =>
  listAt(dict, key).filter((value) => typeof value === 'string');

/** The date of a key. `null` when it is missing or not a valid date. */
export function dateAt(dict: PlistDict | undefined, key: string): Date | null {
  const value = dict?.get(key);
  return value instanceof Date && Number.isFinite(value.getTime()) ? value : null;
}
