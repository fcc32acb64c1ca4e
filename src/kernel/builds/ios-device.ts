import { type Device } from './device';
import { isOlder } from './ios-version';

/** The properties of an iOS app that decide which devices install it. */
export interface IosRequirements {
  readonly minimumOsVersion: string | null;
  readonly deviceFamilies: readonly string[];
}

/** Why a device will refuse an app. */
export type IosRefusal =
  { readonly reason: 'os_too_old'; readonly needed: string; readonly present: string } | { readonly reason: 'ipad_only' };

const DOTTED_NUMBERS = /^\d{1,9}(\.\d{1,9}){0,3}$/;

/** Why the device will refuse the app, for what its user agent says. `null` when nothing is known against it. */
export function iosRefusal({ minimumOsVersion, deviceFamilies }: IosRequirements, device: Device): IosRefusal | null {
  const isIpadApp = deviceFamilies.includes('ipad') && !deviceFamilies.includes('iphone');
  if (device.os === 'ios' && isIpadApp) return { reason: 'ipad_only' };
  const { osVersion: present } = device;
  if (present === undefined || minimumOsVersion === null || !DOTTED_NUMBERS.test(minimumOsVersion)) return null;
  return isOlder(present, minimumOsVersion) ? { reason: 'os_too_old', needed: minimumOsVersion, present } : null;
}

/** Whether the device has at least this version of iOS, or does not name its version. */
export const mayHaveIos = ({ osVersion }: Device, version: string): boolean =>
  osVersion === undefined || !isOlder(osVersion, version);
