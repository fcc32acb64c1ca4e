import { cleanText } from '#kernel/text/text';
import { type DeviceFamily, type IosTarget } from '../inspected-artifact';
import { LIMITS } from '../limits';
import { dictAt, isDict, listAt, type PlistDict, textAt, textsAt } from '../formats/plist/plist-value';
import { inspectionError } from '../inspection-errors';

const BUNDLE_ID = /^[A-Za-z0-9.-]{2,155}$/;
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

/** The bundle id, by Apple's rule for it; refused otherwise. */
export function bundleIdOf(info: PlistDict): string {
  const id = textAt(info, 'CFBundleIdentifier');
  if (id === null || !BUNDLE_ID.test(id)) throw inspectionError('invalid_bundle_id');
  return id;
}

/** A build variable that Xcode did not fill in, as in `${PRODUCT_NAME}`. */
const VARIABLE = /^\$[({]/;

/** The first of the texts under the keys that says something once it is clean. */
export function firstText(info: PlistDict, keys: readonly string[], maxLength: number): string | null {
  for (const key of keys) {
    const text = cleanText(textAt(info, key) ?? '', maxLength);
    if (text && !VARIABLE.test(text)) return text;
  }
  return null;
}

export function deviceFamiliesOf(info: PlistDict): DeviceFamily[] {
  const numbers = [info.get('UIDeviceFamily'), ...listAt(info, 'UIDeviceFamily')];
  return [...new Set(numbers.map((number) => FAMILIES[Number(number)]).filter((family) => family !== undefined))];
}

/** What the app was built for: its platform, else its device families (an .ipa with family 3 alone is for Apple TV). */
export function targetOf(info: PlistDict, families: readonly DeviceFamily[]): IosTarget {
  const named = [...textsAt(info, 'CFBundleSupportedPlatforms'), textAt(info, 'DTPlatformName') ?? ''];
  const target = named.map((name) => TARGETS[name.toLowerCase()]).find((known) => known !== undefined);
  if (target) return target;
  return families.length === 1 && families[0] === 'tv' ? 'tvos' : 'ios';
}

/** Base names of the primary icon's files, in any of the places where Apple has kept them. */
export function iconNamesOf(info: PlistDict): string[] {
  const primaries = ['CFBundleIcons', 'CFBundleIcons~ipad'].map((key) => dictAt(info, key)?.get('CFBundlePrimaryIcon'));
  const inPrimaries = primaries.flatMap((primary) => {
    if (typeof primary === 'string') return [primary];
    return isDict(primary) ? textsAt(primary, 'CFBundleIconFiles') : [];
  });
  const names = [...inPrimaries, ...textsAt(info, 'CFBundleIconFiles'), textAt(info, 'CFBundleIconFile') ?? ''];
  const bases = names
    .map((name) => name.replace(/\.png$/i, ''))
    .filter((name) => name !== '' && name.length <= LIMITS.nameLength);
  return [...new Set(bases)].slice(0, 50);
}
