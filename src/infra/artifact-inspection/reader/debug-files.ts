import { type DebugFiles } from '../inspected-artifact';

const DSYM_NAME = /\.dsym\.(zip|tar|tar\.gz|tgz)$/i;
const MAPPING_NAME = /(^|[-_.])mapping\.txt$/i;
const DSYM_ENTRY = /(^|\/)[^/]+\.dSYM\/Contents\/Resources\/DWARF\/./;
const MAPPING_ENTRY = /(^|\/)mapping\.txt$/;
/** Files that R8 and ProGuard write beside the mapping, and those that operating systems add to archives. */
const BESIDE_MAPPING = /\/$|(^|\/)([^/]*\.(txt|prt|map|pb)|\.DS_Store)$|^__MACOSX\//;
const APP_ENTRY = /\.(app|framework)\/|\.(ipa|apk|aab|dmg|pkg|exe|msi|deb|rpm|appimage)$/i;

/** Recognizes an upload of debug files by its name. */
export function debugFilesByName(fileName: string): DebugFiles | undefined {
  if (DSYM_NAME.test(fileName)) return 'dsym';
  return MAPPING_NAME.test(fileName) ? 'mapping' : undefined;
}

/** Recognizes an archive of debug files by the names of its entries. `undefined` when it also contains an app. */
export function debugFilesIn(entries: readonly { readonly name: string }[]): DebugFiles | undefined {
  const has = (pattern: RegExp): boolean => entries.some(({ name }) => pattern.test(name));
  if (has(DSYM_ENTRY)) return has(APP_ENTRY) ? undefined : 'dsym';
  return has(MAPPING_ENTRY) && entries.every(({ name }) => BESIDE_MAPPING.test(name)) ? 'mapping' : undefined;
}
