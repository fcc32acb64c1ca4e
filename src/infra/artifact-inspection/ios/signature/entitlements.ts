import { isDict, type PlistDict, type PlistValue } from '../../formats/plist/plist-value';

/** Entitlements that devices do not compare with the profile, because the identifier of the app contains them. */
const UNCOMPARED: readonly string[] = ['com.apple.developer.team-identifier'];

/** Longer lists are not compared: each value is compared with all patterns. */
const MAX_VALUES = 200;

/** The keys of the signed entitlements that the profile does not grant, in the order of the signature. */
export const notGranted = (signed: PlistDict, granted: PlistDict): string[] =>
  [...signed].flatMap(([key, value]) => (UNCOMPARED.includes(key) || isGranted(value, granted.get(key)) ? [] : [key]));

/**
 * Whether a value of the profile grants a signed value. A flag that is off needs no grant; a list is granted when all of its values are; a
 * text that ends in `*` grants all that begin as it does. Values of other types are not compared.
 */
function isGranted(signed: PlistValue, granted: PlistValue | undefined): boolean {
  if (signed === false || (Array.isArray(signed) && signed.length === 0)) return true;
  if (granted === undefined) return false;
  if (typeof signed === 'boolean') return granted === true;
  if (Array.isArray(signed)) return signed.length > MAX_VALUES || signed.every((each) => isGranted(each, granted));
  const grants = Array.isArray(granted) ? granted : [granted];
  if (typeof signed !== 'string' || isDict(granted) || grants.length > MAX_VALUES) return true;
  return grants.some((pattern) => typeof pattern === 'string' && isCovered(signed, pattern));
}

/** Whether a text is a pattern, or begins as a pattern that ends in `*` does. */
export const isCovered = (text: string, pattern: string): boolean =>
  pattern.endsWith('*') ? text.startsWith(pattern.slice(0, -1)) : text === pattern;
