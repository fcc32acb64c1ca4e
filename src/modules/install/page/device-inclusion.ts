import { type Device } from '#kernel/builds/device';
import { type Messages } from '#infra/pages/messages/messages';
import { type InstallBuild } from './card/install-build';

/** The device that reads the page, which was registered from this browser. */
export interface VisitingDevice {
  /** The ids of the shown builds whose profile includes it. */
  readonly includedIn: ReadonlySet<string>;
  /** Whether its tester will be mailed when a build includes it. */
  readonly isMailed: boolean;
}

/** Whether a build installs on the device that reads the page, as the template shows it. */
export interface DeviceInclusion {
  readonly state: 'unknown' | 'included' | 'missing';
  readonly tone: 'success' | 'neutral';
  /** `yes`: only for an iPad that calls itself a Mac, which only the page's script can tell. */
  readonly touchMac: 'yes' | null;
  readonly title: string;
  readonly text: string;
  readonly link: { readonly href: string; readonly label: string } | null;
}

interface Reader {
  readonly device: Device;
  /** Null when this browser has registered no device in the project. */
  readonly known: VisitingDevice | null;
  /** The path of the page that registers a device. */
  readonly devicePath: string;
  /** Whether that page lists the devices of the reader: with the link of a tester. */
  readonly isTester: boolean;
  readonly messages: Messages;
}

/** Null when the build is not limited to devices, or the reader has no iPhone or iPad, or a browser that cannot register it. */
export function deviceInclusion(
  build: InstallBuild,
  { device, known, devicePath, isTester, messages: { devices: words } }: Reader,
): DeviceInclusion | null {
  const isPhone = device.os === 'ios' || device.os === 'ipados';
  if (!isRestricted(build) || device.inAppBrowser !== null) return null;
  if (!isPhone && !device.ambiguousMac) return null;
  const touchMac = isPhone ? null : 'yes';
  const check = { href: devicePath, label: words.answer.check };
  if (!known) return { state: 'unknown', tone: 'neutral', touchMac, ...words.answer.unknown, link: check };
  const link = isTester ? { href: devicePath, label: words.own.title } : null;
  if (known.includedIn.has(build.id)) {
    const { title, text } = words.answer.included;
    return { state: 'included', tone: 'success', touchMac, title, text: text(build.version), link };
  }
  const { title, mailed, anonymous } = words.answer.missing;
  return { state: 'missing', tone: 'neutral', touchMac, title, text: known.isMailed ? mailed : anonymous, link };
}

/** Whether the build installs on the devices of its profile only. */
const isRestricted = ({ signing, notInstallable }: InstallBuild): boolean =>
  !notInstallable && (signing === 'ad_hoc' || signing === 'development');
