import { androidVersionOf } from './android-version';
import { iosVersionOf } from './ios-version';

export type DeviceOs = 'ios' | 'ipados' | 'android' | 'macos' | 'windows' | 'linux' | 'unknown';

export interface Device {
  readonly os: DeviceOs;
  /** The version of the system, as in `17.4`. Absent when the user agent does not name it, or may name an older one. */
  readonly osVersion?: string;
  /** The user agent says Macintosh: a Mac, an iPad, or an iOS browser in desktop mode. Only a script on the page can tell. */
  readonly ambiguousMac: boolean;
  /** The app whose built-in browser sent the request; `'?'` for an unknown app; null in a real browser. */
  readonly inAppBrowser: string | null;
  /** A program that renders link previews or scans mails. */
  readonly isPreviewBot: boolean;
}

/** `Sec-CH-UA-Platform` as sent, with quotes. */
export interface ClientHints {
  readonly platform?: string;
}

const PREVIEW_BOTS =
  /bot\b|crawler|spider|facebookexternalhit|facebookcatalog|whatsapp\/|skypeuripreview|microsoftpreview|bingpreview|embedly|iframely|slack-imgproxy|googleimageproxy|snap url preview|mastodon\/|vkshare|^curl\/|^wget\//i;

/** Built-in browsers that send a name. itms-services links do not work in them, and downloads may fail. */
const IN_APP_BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/Instagram/, 'Instagram'],
  [/FBAN\/Messenger|MessengerForiOS|Orca-Android/, 'Messenger'],
  [/FBAN|FBAV|FB_IAB|FBIOS/, 'Facebook'],
  [/\bLine\//, 'LINE'],
  [/MicroMessenger/, 'WeChat'],
  [/DingTalk/, 'DingTalk'],
  [/LinkedInApp/, 'LinkedIn'],
  [/Snapchat/, 'Snapchat'],
  [/TikTok|musical_ly|BytedanceWebview/i, 'TikTok'],
  [/Pinterest/, 'Pinterest'],
  [/Twitter/, 'X'],
  [/\bGSA\//, 'Google'],
  [/\bSlack(_SSB)?\//, 'Slack'],
  [/\bTeams(Mobile)?\b/, 'Teams'],
];

/** The first match wins: a user agent that imitates others has its own name first. */
const SYSTEMS: readonly (readonly [RegExp, DeviceOs])[] = [
  [/Windows/, 'windows'],
  [/iPad/, 'ipados'],
  [/iPhone|iPod/, 'ios'],
  [/Android/, 'android'],
  [/Macintosh|Mac OS X/, 'macos'],
  [/CrOS|Linux|X11/, 'linux'],
];

const PLATFORM_HINTS: Readonly<Record<string, DeviceOs>> = {
  android: 'android',
  ios: 'ios',
  macos: 'macos',
  windows: 'windows',
  linux: 'linux',
  'chrome os': 'linux',
};

/**
 * Detects the device from `User-Agent` and client hints. Only for what a page shows first, never for permissions: the page
 * offers the other choices too. The user agent of the iOS installer, `com.apple.appstored/… iOS/… model/iPad…`, counts as the
 * device that it runs on.
 */
export function detectDevice(userAgent: string | undefined, hints: ClientHints = {}): Device {
  const ua = (userAgent ?? '').slice(0, 1000);
  const isPreviewBot = PREVIEW_BOTS.test(ua);
  const os = installerOs(ua) ?? hintedOs(hints) ?? SYSTEMS.find(([pattern]) => pattern.test(ua))?.[1] ?? 'unknown';
  const osVersion = osVersionOf(os, ua);
  return {
    os,
    ...(osVersion !== null && { osVersion }),
    // Only Blink sends client hints, and they are correct on macOS. Safari, Firefox and all browsers of an iPad send none.
    ambiguousMac: os === 'macos' && !isPreviewBot && hintedOs(hints) !== 'macos',
    inAppBrowser: isPreviewBot ? null : inAppBrowserOf(ua, os),
    isPreviewBot,
  };
}

function osVersionOf(os: DeviceOs, ua: string): string | null {
  if (os === 'android') return androidVersionOf(ua);
  return os === 'ios' || os === 'ipados' ? iosVersionOf(ua) : null;
}

const CHOICES: ReadonlyMap<string, DeviceOs> = new Map([
  ['iphone', 'ios'],
  ['ipad', 'ipados'],
  ['android', 'android'],
]);

/** The device families of the download log. */
export const DEVICE_FAMILIES = ['iphone', 'ipad', 'android', 'mac', 'windows', 'linux', 'other'] as const;
export type DeviceFamily = (typeof DEVICE_FAMILIES)[number];

const FAMILIES: Readonly<Record<DeviceOs, DeviceFamily>> = {
  ios: 'iphone',
  ipados: 'ipad',
  android: 'android',
  macos: 'mac',
  windows: 'windows',
  linux: 'linux',
  unknown: 'other',
};

/** The device family of a `User-Agent`. An iPad whose browser sends Macintosh counts as a Mac. */
export const deviceFamilyOf = (userAgent: string | undefined): DeviceFamily => FAMILIES[detectDevice(userAgent).os];

/** Replaces the detected device by the reader's choice on the page (`?device=`). Unknown values are ignored. */
export function chosenDevice(device: Device, choice: unknown): Device {
  const chosen = typeof choice === 'string' ? CHOICES.get(choice) : undefined;
  if (!chosen || chosen === device.os) return device;
  const { osVersion: _, ...other } = device;
  return { ...other, os: chosen, ambiguousMac: false };
}

function installerOs(ua: string): DeviceOs | null {
  if (!/^com\.apple\.appstored\/|^itunesstored\//.test(ua)) return null;
  return /model\/iPad/.test(ua) ? 'ipados' : 'ios';
}

function hintedOs(hints: ClientHints): DeviceOs | null {
  const name = (hints.platform ?? '').replaceAll('"', '').trim().toLowerCase();
  return Object.hasOwn(PLATFORM_HINTS, name) ? (PLATFORM_HINTS[name] ?? null) : null;
}

function inAppBrowserOf(ua: string, os: DeviceOs): string | null {
  const named = IN_APP_BROWSERS.find(([pattern]) => pattern.test(ua));
  if (named) return named[1];
  const androidWebView = os === 'android' && /; wv\)/.test(ua);
  const appleWebView = (os === 'ios' || os === 'ipados') && /AppleWebKit/.test(ua) && !/Safari\//.test(ua);
  return androidWebView || appleWebView ? '?' : null;
}

/** Whether a request for a link comes from a person, and not from a program that checks the link or shows a preview of it. */
export const isOpening = (method: string, { isPreviewBot }: Device): boolean => method === 'GET' && !isPreviewBot;
