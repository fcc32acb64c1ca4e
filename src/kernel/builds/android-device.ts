import { type Device } from './device';
import { isOlder } from './ios-version';

/** The properties of an Android app that decide which devices install it. */
export interface AndroidRequirements {
  readonly minimumOsVersion: string | null;
  readonly targetSdk: number | null;
  readonly warnings: readonly { readonly code: string }[];
}

/** Why a device will refuse an app. `code` is that of the warning that says so. */
export type AndroidRefusal =
  | { readonly reason: 'os_too_old'; readonly needed: string; readonly present: string }
  | { readonly reason: 'os_too_new'; readonly code: string; readonly present: string };

const DOTTED_NUMBERS = /^\d{1,3}(\.\d{1,3}){0,2}$/;

/** The first version of Android that refuses an app with these warnings. Other warnings do not depend on the version. */
const REFUSED_FROM: Readonly<Record<string, (app: AndroidRequirements) => string>> = {
  v1_signature_only: () => '11',
  resources_compressed: () => '11',
  resources_unaligned: () => '11',
  exported_missing: () => '12',
  target_sdk_too_low: ({ targetSdk }) => (targetSdk === 23 ? '15' : '14'),
};

/**
 * Why the device will refuse the app, for what its user agent says. `null` when nothing is known against it. User agents do not say which
 * processor a device has.
 */
export function androidRefusal(app: AndroidRequirements, { osVersion: present }: Device): AndroidRefusal | null {
  if (present === undefined) return null;
  const { minimumOsVersion: needed, warnings } = app;
  if (needed !== null && DOTTED_NUMBERS.test(needed) && isOlder(present, needed))
    return { reason: 'os_too_old', needed, present };
  const refusing = warnings.find(({ code }) => {
    const from = Object.hasOwn(REFUSED_FROM, code) ? REFUSED_FROM[code]?.(app) : undefined;
    return from !== undefined && !isOlder(present, from);
  });
  return refusing ? { reason: 'os_too_new', code: refusing.code, present } : null;
}

/** Whether the device has at least this version of Android, or does not name its version. */
export const mayHaveAndroid = ({ osVersion }: Device, version: string): boolean =>
  osVersion === undefined || !isOlder(osVersion, version);

/** Whether the device has an earlier version of Android than this one, or does not name its version. */
export const mayHaveOlderAndroid = ({ osVersion }: Device, version: string): boolean =>
  osVersion === undefined || isOlder(osVersion, version);
