import { type Device, type DeviceOs } from '#kernel/builds/device';
import { type Messages } from '#infra/pages/messages/messages';
import { type ActionVariant, installActions, overviewActions } from './install-actions';
import { inPlainWords, type InstallBuild, type Notice } from './install-build';
import { dateOf, daysAgo, sizeOf } from './install-format';
import { type HelpTopic, helpTopics } from './install-help';
import { type BuildLinks, type LinkAddresses, type PageLinks } from './install-links';

/** One line of the list of details. */
export interface Fact {
  readonly name: string;
  readonly value: string;
}

export type CardIcon =
  { readonly src: string; readonly alt: string } | { readonly letter: string; readonly shade: number };

/** What a page shows first: one build with all there is to know, or, without one to single out, the project. */
export interface InstallCard {
  /** Above the name, where it says something the name does not. */
  readonly eyebrow: string | null;
  readonly name: string;
  readonly versionLine: string | null;
  readonly tags: readonly string[];
  readonly uploaded: { readonly iso: string; readonly relative: string } | null;
  readonly icon: CardIcon;
  readonly pageUrl: string;
  readonly qrSrc: string;
  /** Usually one; two where only script can tell which device this is. */
  readonly variants: readonly ActionVariant[];
  readonly warnings: readonly Notice[];
  readonly notes: string | null;
  readonly facts: readonly Fact[];
  readonly help: readonly HelpTopic[];
}

/** What all cards of a page share. */
export interface CardSetting {
  readonly projectName: string;
  /** The channel whose link it is. */
  readonly channelName: string | null;
  readonly page: PageLinks;
  readonly addresses: LinkAddresses;
  /** Whether builds have pages of their own behind the link. */
  readonly manyBuilds: boolean;
  readonly now: Date;
  readonly messages: Messages;
}

/** The shades of `page.css` a placeholder icon may have. */
const SHADES = 6;

export const appNameOf = (build: InstallBuild, { projectName }: CardSetting): string =>
  build.appName?.trim() || projectName;

export const linksOf = (build: InstallBuild, { addresses, manyBuilds }: CardSetting): BuildLinks =>
  addresses.ofBuild({ fileExtension: build.fileExtension, buildId: manyBuilds ? build.id : null });

export function versionLineOf({ version, buildNumber }: InstallBuild, { install }: Messages): string {
  return buildNumber === null || buildNumber === version
    ? install.version(version)
    : install.versionAndBuild(version, buildNumber);
}

export const iconOf = (build: InstallBuild, setting: CardSetting): CardIcon => {
  const name = appNameOf(build, setting);
  return build.hasIcon
    ? { src: linksOf(build, setting).icon, alt: setting.messages.install.iconOf(name) }
    : placeholderIcon(name);
};

/** Everything about one build, for one device. */
export function buildCard(build: InstallBuild, device: Device, setting: CardSetting): InstallCard {
  const { messages, page, now, projectName, channelName } = setting;
  const name = appNameOf(build, setting);
  const systemName = messages.install.systems[build.platform];
  const origins = [projectName === name ? null : projectName, channelName];
  return {
    eyebrow: origins.filter((origin) => origin !== null).join(' · ') || null,
    name,
    versionLine: versionLineOf(build, messages),
    tags: [systemName, sizeOf(build.sizeBytes, messages.languageTag)],
    uploaded: { iso: build.uploadedAt.toISOString(), relative: daysAgo(build.uploadedAt, now, messages.languageTag) },
    icon: iconOf(build, setting),
    pageUrl: page.page,
    qrSrc: page.qrCode,
    variants: installActions(build, device, { ...page, ...linksOf(build, setting) }, messages),
    warnings: warningsOf(build, messages),
    notes: build.notes?.trim() || null,
    facts: factsOf(build, messages),
    help: build.notInstallable ? [] : helpTopics(build, device, messages),
  };
}

/** For a device that none of several builds, or none at all, is for. */
export function overviewCard(builds: readonly InstallBuild[], os: DeviceOs, setting: CardSetting): InstallCard {
  const { messages, page, projectName, channelName } = setting;
  const platforms = new Set(builds.map(({ platform }) => platform));
  const illustrated = builds.find(({ hasIcon }) => hasIcon);
  return {
    eyebrow: channelName,
    name: projectName,
    versionLine: null,
    tags: [...platforms].map((platform) => messages.install.systems[platform]),
    uploaded: null,
    icon: illustrated ? iconOf(illustrated, setting) : placeholderIcon(projectName),
    pageUrl: page.page,
    qrSrc: page.qrCode,
    variants: [{ ...overviewActions(platforms, { os, page, messages }), touchMac: null }],
    warnings: [],
    notes: null,
    facts: [],
    help: [],
  };
}

/** What will surprise on a device, in plain words; without what is said instead of the button. */
const warningsOf = ({ warnings, notInstallable }: InstallBuild, messages: Messages): Notice[] =>
  warnings.filter(({ code }) => code !== notInstallable?.code).map((notice) => inPlainWords(notice, messages));

function factsOf(build: InstallBuild, { install, languageTag }: Messages): Fact[] {
  const { facts, systems } = install;
  const rows: readonly (readonly [string, string | null])[] = [
    [facts.uploaded, dateOf(build.uploadedAt, languageTag)],
    [facts.requires, build.minimumOsVersion && facts.orLater(systems[build.platform], build.minimumOsVersion)],
    [facts.expires, build.expiresAt && dateOf(build.expiresAt, languageTag)],
    [facts.identifier, build.bundleId],
  ];
  return rows.flatMap(([name, value]) => (value ? [{ name, value }] : []));
}

/** The name's first letter on a shade that stays the same for the same name. */
function placeholderIcon(name: string): { letter: string; shade: number } {
  const letter = name.match(/[\p{L}\p{N}]/u)?.[0]?.toLocaleUpperCase() ?? '·';
  const sum = [...name].reduce((total, character) => total + (character.codePointAt(0) ?? 0), 0);
  return { letter, shade: sum % SHADES };
}
