import { type Device, type DeviceOs } from '#kernel/builds/device';
import { type Messages } from '#infra/pages/messages/messages';
import { type InstallLinks, type PageLinks } from '../link-addresses';
import { deviceAdvice } from './device-advice';
import { type InstallBuild, type InstallPlatform, translateNotice } from './install-build';

export interface ActionLink {
  readonly href: string;
  readonly label: string;
  /** True when `href` is a page of this service: the link then carries the chosen language. */
  readonly page?: boolean;
}

/** A box shown before or instead of a button. */
export interface ActionMessage {
  readonly tone: 'neutral' | 'problem';
  readonly title: string;
  readonly text: string;
  /** Set when the device that reads the page was registered, and the build leaves it out. */
  readonly device?: 'missing';
}

/** The actions that the page offers for one kind of device, from top to bottom. Absent parts are not shown. */
export interface InstallAction {
  readonly message?: ActionMessage;
  /** The page's address as a QR code, to open the page on a phone. */
  readonly scan?: { readonly title: string; readonly text: string; readonly alt: string };
  /** The button. With `progress`, the page says what to expect, because the installation runs outside the page. */
  readonly primary?: ActionLink & { readonly progress: boolean };
  /** The page of a build that the device installs, when it refuses this one. */
  readonly instead?: ActionLink;
  readonly note?: string;
  /** What to do beside the button, in order. */
  readonly next?: { readonly title: string; readonly steps: readonly string[] };
  /** Shows the page's address to copy. */
  readonly copy?: boolean;
  readonly secondary: readonly ActionLink[];
}

/**
 * An iPad can send the user agent of a Mac. A variant with `touchMac` is shown only when the page's script finds a touch screen
 * (`yes`) or none (`no`).
 */
export interface ActionVariant extends InstallAction {
  readonly touchMac: 'yes' | 'no' | null;
}

/** What the actions depend on, besides the build. */
interface OfferContext {
  readonly device: Device;
  readonly links: InstallLinks;
  readonly instead: ActionLink | null;
  readonly messages: Messages;
}

interface Offer extends OfferContext {
  readonly build: InstallBuild;
  readonly os: DeviceOs;
}

type Family = 'ios' | 'android' | 'desktop';

const familyOf = (os: DeviceOs | InstallPlatform): Family => {
  if (os === 'ios' || os === 'ipados') return 'ios';
  return os === 'android' ? 'android' : 'desktop';
};

/** The actions that the page offers for one build. Two variants when the request does not distinguish a Mac from an iPad. */
export function installActions(build: InstallBuild, context: OfferContext): readonly ActionVariant[] {
  const { device } = context;
  const offerTo = (os: DeviceOs) => actionFor({ ...context, build, os });
  if (!device.ambiguousMac || familyOf(build.platform) === 'desktop') {
    return [{ ...offerTo(device.os), touchMac: null }];
  }
  return [
    { ...offerTo('macos'), touchMac: 'no' },
    { ...offerTo('ipados'), touchMac: 'yes' },
  ];
}

interface MissingDevice {
  readonly title: string;
  readonly text: string;
  readonly link: ActionLink | null;
}

/** The actions for a reader whose device the build leaves out: the button comes second, as for other refusals. */
export function behindRefusal(action: ActionVariant, answer: MissingDevice, { install }: Messages): ActionVariant {
  const { touchMac, primary } = action;
  if (!primary) return action;
  const { title, text, link } = answer;
  const tryAnyway = { href: primary.href, label: install.actions.tryAnyway };
  return {
    touchMac,
    message: { tone: 'problem', title, text, device: 'missing' },
    secondary: [tryAnyway, ...(link ? [{ ...link, page: true }] : [])],
  };
}

interface Overview {
  readonly os: DeviceOs;
  readonly page: PageLinks;
  readonly messages: Messages;
}

/** The actions that the page offers when no build comes first: how to open it on a device that one of the builds is for. */
export function overviewActions(
  platforms: ReadonlySet<InstallPlatform>,
  { os, page, messages }: Overview,
): InstallAction {
  const { overview, scan, systems } = messages.install;
  if (platforms.size === 0) {
    return { message: { tone: 'neutral', title: overview.empty.title, text: overview.empty.text }, secondary: [] };
  }
  if (familyOf(os) !== 'desktop') {
    const system = systems[os === 'android' ? 'android' : 'ios'];
    return {
      message: { tone: 'neutral', title: overview.nothingFor(system), text: overview.othersBelow },
      copy: true,
      secondary: [],
    };
  }
  if (!platforms.has('ios') && !platforms.has('android')) return { note: overview.othersBelow, secondary: [] };
  return {
    scan: { title: scan.title(scan.phone), text: scan.text, alt: scan.alt },
    ...(page.localOnly ? { note: messages.install.localOnly } : {}),
    copy: true,
    secondary: [
      ...(platforms.has('ios') ? [thisIsAnIpad(page, messages)] : []),
      ...(platforms.has('android') ? [thisIsAnAndroid(page, messages)] : []),
    ],
  };
}

const thisIsAnIpad = ({ pagePath }: PageLinks, { install }: Messages): ActionLink => ({
  href: `${pagePath}?device=ipad`,
  label: install.actions.thisIsAnIpad,
  page: true,
});

const thisIsAnAndroid = ({ pagePath }: PageLinks, { install }: Messages): ActionLink => ({
  href: `${pagePath}?device=android`,
  label: install.actions.thisIsAnAndroid,
  page: true,
});

function actionFor(offer: Offer): InstallAction {
  const { build, os, links, messages } = offer;
  const reader = familyOf(os);
  const target = familyOf(build.platform);
  if (build.notInstallable) return blocked(offer, translateNotice(build.notInstallable, messages).message);
  if (target === 'ios' && reader !== 'android' && !links.acceptedByIos) return insecure(offer);
  if (target === 'desktop') return reader === 'desktop' ? download(offer) : elsewhere(offer);
  if (reader === 'desktop') return scan(offer, target);
  if (reader !== target) return elsewhere(offer);
  return installHere(offer, target, messages);
}

/**
 * Actions on a device that the build is for. In-app browsers usually cannot install, and a device that does not meet the build's
 * requirements will refuse it, but both are read from the user agent, so there the button comes second.
 */
function installHere(
  { build, device, links, instead }: Offer,
  target: 'ios' | 'android',
  messages: Messages,
): InstallAction {
  const words = messages.install;
  const ios = target === 'ios';
  const href = ios ? links.itmsServices : links.package;
  const { refusal, next } = deviceAdvice(build, device, messages);
  if (refusal) {
    const { title, text } = refusal;
    return {
      message: { tone: 'problem', title, text },
      ...(instead && { instead }),
      secondary: [{ href, label: words.actions.tryAnyway }],
    };
  }
  if (device.inAppBrowser !== null) {
    return {
      message: {
        tone: 'neutral',
        title: words.inApp.title(ios ? words.inApp.safari : words.inApp.chrome),
        text: device.inAppBrowser === '?' ? words.inApp.unnamed : words.inApp.named(device.inAppBrowser),
      },
      copy: true,
      secondary: [{ href, label: words.actions.tryAnyway }],
    };
  }
  return {
    primary: { href, label: ios ? words.actions.installIos : words.actions.downloadApk, progress: ios },
    note: ios ? words.notes.installIos : words.notes.downloadApk,
    ...(next && { next }),
    secondary: [],
  };
}

function scan({ links, messages }: Offer, target: 'ios' | 'android'): InstallAction {
  const words = messages.install;
  const here = target === 'ios' ? thisIsAnIpad(links, messages) : thisIsAnAndroid(links, messages);
  return {
    scan: { title: words.scan.title(words.scan[target]), text: words.scan.text, alt: words.scan.alt },
    ...(links.localOnly ? { note: words.localOnly } : {}),
    copy: true,
    secondary: [here, { href: links.package, label: words.actions.downloadFile }],
  };
}

function download({ build, os, links, messages }: Offer): InstallAction {
  const words = messages.install;
  const fits = os === build.platform || os === 'unknown';
  return {
    primary: { href: links.package, label: words.actions.download, progress: false },
    ...(fits ? {} : { note: words.notes.otherSystem(words.systems[build.platform]) }),
    secondary: [],
  };
}

/** Actions on a device that cannot run the build. */
function elsewhere({ build, messages }: Offer): InstallAction {
  const { elsewhere: words, systems } = messages.install;
  return {
    message: {
      tone: 'neutral',
      title: words.title(systems[build.platform]),
      text: words.text(words.devices[build.platform]),
    },
    copy: true,
    secondary: [],
  };
}

function blocked({ os, links, instead, messages }: Offer, reason: string): InstallAction {
  const words = messages.install;
  return {
    message: { tone: 'problem', title: words.blocked.title, text: reason },
    ...(instead && { instead }),
    // On a computer, tools such as Xcode or bundletool can use the file.
    secondary: familyOf(os) === 'desktop' ? [{ href: links.package, label: words.actions.downloadFile }] : [],
  };
}

function insecure({ os, links, messages }: Offer): InstallAction {
  const words = messages.install;
  return {
    message: { tone: 'problem', ...words.insecure },
    secondary: familyOf(os) === 'desktop' ? [{ href: links.package, label: words.actions.downloadFile }] : [],
  };
}
