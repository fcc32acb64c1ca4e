import { cleanText } from '#kernel/text/text';
import { dictAt, isDict, listAt, type PlistDict, textsAt } from '../formats/plist/plist-value';
import { type ZipEntry } from '../formats/zip/zip-archive';
import { type AppCapabilities } from '../inspected-artifact';
import { LIMITS } from '../limits/limits';

const CAPABILITIES = 'UIRequiredDeviceCapabilities';
const FRAMEWORK = /^Frameworks\/([^/]+)\.(?:framework\/|dylib$)/;

/** The features that an iOS app uses. @param folder of the app in the archive, with its slash. */
export const capabilitiesOf = (info: PlistDict, entries: readonly ZipEntry[], folder: string): AppCapabilities => ({
  // A list of names or, in older apps, a dictionary of flags.
  features: factsOf([...textsAt(info, CAPABILITIES), ...(dictAt(info, CAPABILITIES)?.keys() ?? [])]),
  urlSchemes: factsOf(
    listAt(info, 'CFBundleURLTypes').flatMap((type) => (isDict(type) ? textsAt(type, 'CFBundleURLSchemes') : [])),
  ),
  frameworks: factsOf(
    entries.flatMap(({ name }) => {
      const found = name.startsWith(folder) ? FRAMEWORK.exec(name.slice(folder.length))?.[1] : undefined;
      return found === undefined ? [] : [Buffer.from(found, 'latin1').toString('utf8')];
    }),
  ),
});

/** Cleaned, sorted, each once. */
function factsOf(texts: readonly string[]): string[] {
  const facts = texts.map((text) => cleanText(text, LIMITS.nameLength)).filter((text) => text !== '');
  return [...new Set(facts)].sort().slice(0, LIMITS.facts);
}
