import { cleanText } from '#kernel/text/text';
import { dictAt, isDict, listAt, type PlistDict, textAt, textsAt } from '../formats/plist/plist-value';
import { type DeviceFamily, type IosTarget, type UsageDescription } from '../inspected-artifact';
import { inspectionError } from '../inspection-errors';
import { LIMITS } from '../limits/limits';

/** Apple registers identifiers with an underscore, too; only the App Store rejects them. */
const BUNDLE_ID = /^[A-Za-z0-9._-]{2,155}$/;
const FAMILIES: Readonly<Record<number, DeviceFamily>> = { 1: 'iphone', 2: 'ipad', 3: 'tv', 4: 'watch', 7: 'vision' };
const TARGETS: Readonly<Record<string, IosTarget>> = {
  iphoneos: 'ios',
  appletvos: 'tvos',
  watchos: 'watchos',
  xros: 'visionos',
  iphonesimulator: 'simulator',
  appletvsimulator: 'simulator',
  watchsimulator: 'simulator',
  xrsimulator: 'simulator',
};

/** The bundle id. @throws AppError invalid_input when it is missing or breaks Apple's syntax. */
export function bundleIdOf(info: PlistDict): string {
  const id = textAt(info, 'CFBundleIdentifier');
  if (id === null || !BUNDLE_ID.test(id)) throw inspectionError('invalid_bundle_id');
  return id;
}

/** A build variable that Xcode did not replace, such as `${PRODUCT_NAME}`. */
const VARIABLE = /^\$[({]/;

/** The first text or whole number of the keys that is not empty after cleaning. */
export function firstText(info: PlistDict, keys: readonly string[], maxLength: number): string | null {
  for (const key of keys) {
    const text = cleanText(textAt(info, key) ?? wholeNumberAt(info, key) ?? '', maxLength);
    if (text && !VARIABLE.test(text)) return text;
  }
  return null;
}

function wholeNumberAt(info: PlistDict, key: string): string | null {
  const value = info.get(key);
  return typeof value === 'bigint' || (typeof value === 'number' && Number.isSafeInteger(value)) ? String(value) : null;
}

export function deviceFamiliesOf(info: PlistDict): DeviceFamily[] {
  const numbers = [info.get('UIDeviceFamily'), ...listAt(info, 'UIDeviceFamily')];
  return [...new Set(numbers.map((number) => FAMILIES[Number(number)]).filter((family) => family !== undefined))];
}

/** The target of the app: from its platform, otherwise from its device families (family 3 alone means Apple TV). */
export function targetOf(info: PlistDict, families: readonly DeviceFamily[]): IosTarget {
  const named = [...textsAt(info, 'CFBundleSupportedPlatforms'), textAt(info, 'DTPlatformName') ?? ''];
  const target = named.map((name) => TARGETS[name.toLowerCase()]).find((known) => known !== undefined);
  if (target) return target;
  return families.length === 1 && families[0] === 'tv' ? 'tvos' : 'ios';
}

const USAGE_KEY = /^NS[A-Za-z]{1,100}UsageDescription$/;

/** The texts by which the app explains why it needs access, sorted by key. */
export const usageDescriptionsOf = (info: PlistDict): UsageDescription[] =>
  [...info.keys()]
    .filter((key) => USAGE_KEY.test(key))
    .sort()
    .slice(0, LIMITS.facts)
    .map((key) => ({ key, text: cleanText(textAt(info, key) ?? '', LIMITS.factLength) }));

/** The names of the primary icon's files, often without scale and extension, from all keys that Apple has used for them. */
export function iconNamesOf(info: PlistDict): string[] {
  const primaries = ['CFBundleIcons', 'CFBundleIcons~ipad'].map((key) => dictAt(info, key)?.get('CFBundlePrimaryIcon'));
  const inPrimaries = primaries.flatMap((primary) => {
    if (typeof primary === 'string') return [primary];
    return isDict(primary) ? textsAt(primary, 'CFBundleIconFiles') : [];
  });
  const names = [...inPrimaries, ...textsAt(info, 'CFBundleIconFiles'), textAt(info, 'CFBundleIconFile') ?? ''];
  const usable = names.filter((name) => name !== '' && name.length <= LIMITS.nameLength);
  return [...new Set(usable)].slice(0, 50);
}
