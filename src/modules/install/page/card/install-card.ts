import { mayHaveAndroid, mayHaveOlderAndroid } from '#kernel/builds/android-device';
import { type Device, type DeviceOs } from '#kernel/builds/device';
import { mayHaveIos } from '#kernel/builds/ios-device';
import { versionName } from '#kernel/builds/version-name';
import { type AppInitial, appInitialOf } from '#kernel/text/app-initial';
import { type MarkedBlock, markedBlocks } from '#kernel/text/marked-text';
import { utcDate, utcTime } from '#kernel/text/utc-date';
import { type Messages } from '#infra/pages/messages/messages';
import { type BuildLinks, type LinkAddresses, type PageLinks } from '../link-addresses';
import { deviceAdvice } from './device-advice';
import { daysAgo, sizeOf } from './format';
import { type ActionLink, type ActionVariant, installActions, overviewActions } from './install-actions';
import { type InstallBuild, type Notice, translateNotice } from './install-build';

/** One line of the list of details. */
interface Fact {
  readonly name: string;
  readonly value: string;
}

export type CardIcon = { readonly src: string; readonly alt: string } | AppInitial;

/** Whom the build comes from: one line, and more on demand. */
interface Trust {
  readonly line: string;
  readonly facts: readonly Fact[];
}

/** The top of a page: one build in full or, when no build comes first, the project. */
export interface InstallCard {
  /** The line above the name: project and channel, unless the name already contains them. */
  readonly eyebrow: string | null;
  readonly name: string;
  readonly versionLine: string | null;
  readonly tags: readonly string[];
  readonly uploaded: { readonly iso: string; readonly relative: string } | null;
  readonly icon: CardIcon;
  readonly pageUrl: string;
  readonly qrSrc: string;
  /** Usually one; two when only the page's script can tell the device. */
  readonly variants: readonly ActionVariant[];
  readonly warnings: readonly Notice[];
  readonly trust: Trust | null;
  readonly notes: readonly MarkedBlock[];
  readonly facts: readonly Fact[];
  readonly help: readonly HelpTopic[];
}

/** The data that all cards of a page share. */
export interface CardContext {
  readonly projectName: string;
  readonly organization: string;
  /** The channel that the link opens. */
  readonly channelName: string | null;
  readonly page: PageLinks;
  readonly addresses: LinkAddresses;
  /** Whether each build of the link has its own page. */
  readonly manyBuilds: boolean;
  /** All builds of the page, the newest and current ones first. */
  readonly builds: readonly InstallBuild[];
  readonly now: Date;
  readonly messages: Messages;
}

export const appNameOf = (build: InstallBuild, { projectName }: CardContext): string =>
  build.appName?.trim() || projectName;

const linksOf = (build: InstallBuild, { addresses, manyBuilds }: CardContext): BuildLinks =>
  addresses.ofBuild({ fileExtension: build.fileExtension, buildId: manyBuilds ? build.id : null });

export function versionLineOf({ version, buildNumber }: InstallBuild, { install }: Messages): string {
  return buildNumber === null || buildNumber === version
    ? install.version(version)
    : install.versionAndBuild(version, buildNumber);
}

export const iconOf = (build: InstallBuild, context: CardContext): CardIcon => {
  const name = appNameOf(build, context);
  return build.hasIcon
    ? { src: linksOf(build, context).icon, alt: context.messages.install.iconOf(name) }
    : appInitialOf(name);
};

/** The card of one build, for one device. */
export function buildCard(build: InstallBuild, device: Device, context: CardContext): InstallCard {
  const { messages, page, now, projectName, channelName } = context;
  const name = appNameOf(build, context);
  const systemName = messages.install.systems[build.platform];
  const origins = [projectName === name ? null : projectName, channelName];
  return {
    eyebrow: origins.filter((origin) => origin !== null).join(' · ') || null,
    name,
    versionLine: versionLineOf(build, messages),
    tags: [systemName, sizeOf(build.sizeBytes, messages.languageTag)],
    uploaded: { iso: build.uploadedAt.toISOString(), relative: daysAgo(build.uploadedAt, now, messages.languageTag) },
    icon: iconOf(build, context),
    pageUrl: page.page,
    qrSrc: page.qrCode,
    variants: installActions(build, {
      device,
      links: { ...page, ...linksOf(build, context) },
      instead: insteadOf(build, device, context),
      messages,
    }),
    warnings: warningsOf(build, device, messages),
    trust: trustOf(build, context),
    notes: markedBlocks(build.notes ?? ''),
    facts: factsOf(build, messages),
    help: build.notInstallable ? [] : helpTopics(build, device, messages),
  };
}

/** The card of the project, when no build fits the device or there is no build. */
export function overviewCard(builds: readonly InstallBuild[], os: DeviceOs, context: CardContext): InstallCard {
  const { messages, page, projectName, organization, channelName } = context;
  const platforms = new Set(builds.map(({ platform }) => platform));
  const illustrated = builds.find(({ hasIcon }) => hasIcon);
  return {
    eyebrow: [organization, channelName].filter(Boolean).join(' · ') || null,
    name: projectName,
    versionLine: null,
    tags: [...platforms].map((platform) => messages.install.systems[platform]),
    uploaded: null,
    icon: illustrated ? iconOf(illustrated, context) : appInitialOf(projectName),
    pageUrl: page.page,
    qrSrc: page.qrCode,
    variants: [{ ...overviewActions(platforms, { os, page, messages }), touchMac: null }],
    warnings: [],
    trust: null,
    notes: [],
    facts: [],
    help: [],
  };
}

/** The warnings, without the one that is shown instead of the button. */
function warningsOf(build: InstallBuild, device: Device, messages: Messages): Notice[] {
  const shown = build.notInstallable?.code ?? deviceAdvice(build, device, messages).refusal?.warning;
  return build.warnings.filter(({ code }) => code !== shown).map((notice) => translateNotice(notice, messages));
}

function factsOf(build: InstallBuild, { install, languageTag }: Messages): Fact[] {
  const { facts, systems } = install;
  const rows: readonly (readonly [string, string | null])[] = [
    [facts.uploaded, utcTime(build.uploadedAt, languageTag)],
    [facts.requires, build.minimumOsVersion && facts.orLater(systems[build.platform], build.minimumOsVersion)],
    [facts.expires, build.expiresAt && utcDate(build.expiresAt, languageTag)],
    [facts.identifier, build.bundleId],
  ];
  return rows.flatMap(([name, value]) => (value ? [{ name, value }] : []));
}

function trustOf(
  { delivery, signer, sha256 }: InstallBuild,
  { organization, messages: { install, languageTag } }: CardContext,
): Trust | null {
  if (organization === '') return null;
  const { trust } = install;
  const time = utcTime(delivery.at, languageTag);
  const rows: readonly (readonly [string, string | null])[] = [
    [trust.organization, organization],
    [trust[delivery.kind], delivery.by === null ? time : trust.by(time, delivery.by)],
    [trust.signer, signer],
    [trust.checksum, sha256],
  ];
  return {
    line: trust.line(organization),
    facts: rows.flatMap(([name, value]) => (value ? [{ name, value }] : [])),
  };
}

/** The newest other build of the platform that the device installs, when it does not install this one. */
function insteadOf(build: InstallBuild, device: Device, context: CardContext): ActionLink | null {
  const { builds, addresses, messages } = context;
  const isInstalled = (one: InstallBuild): boolean =>
    one.notInstallable === null && !deviceAdvice(one, device, messages).refusal;
  if (isInstalled(build)) return null;
  const other = builds.find((one) => one.platform === build.platform && one.id !== build.id && isInstalled(one));
  if (!other) return null;
  const label = messages.install.actions.installInstead(versionName(other.version, other.buildNumber));
  return { href: addresses.ofPage(other.id).pagePath, label, page: true };
}

interface HelpTopic {
  readonly title: string;
  readonly lead: string;
  readonly items: readonly string[];
  /** The page's script opens the first topic when an installation does not seem to start. */
  readonly first: boolean;
}

/** Help for installing on the device that the build is for. Shown on computers too, for a reader who installs on a phone. */
function helpTopics(build: InstallBuild, device: Device, messages: Messages): readonly HelpTopic[] {
  const readerIsOther =
    build.platform === 'ios' ? device.os === 'android' : device.os === 'ios' || device.os === 'ipados';
  if (readerIsOther) return [];
  if (build.platform === 'ios') return iosHelp(build, device, messages);
  return build.platform === 'android' ? androidHelp(device, messages) : [];
}

/** iOS shows one message for many causes. The most frequent cause comes first. */
function iosHelp(
  { signing, minimumOsVersion }: InstallBuild,
  device: Device,
  messages: Messages,
): readonly HelpTopic[] {
  const { unable, trust, developerMode } = messages.install.help;
  const enterprise = signing === 'enterprise';
  const causes = [
    ...(enterprise ? [] : [unable.notRegistered]),
    unable.signature,
    minimumOsVersion ? unable.tooOldKnown(minimumOsVersion) : unable.tooOld,
    unable.storage,
    unable.cellular,
    unable.broken,
  ];
  const known = signing !== null && signing !== 'unknown';
  return [
    { title: unable.title, lead: unable.lead, items: causes, first: true },
    ...(enterprise || !known ? [{ title: trust.title, lead: trust.lead, items: trust.steps, first: false }] : []),
    ...(enterprise || !mayHaveIos(device, '16')
      ? []
      : [{ title: developerMode.title, lead: developerMode.lead, items: developerMode.steps, first: false }]),
  ];
}

/** The menu for unknown apps is another one from Android 8 on. */
function androidHelp(device: Device, messages: Messages): readonly HelpTopic[] {
  const { unknownSources, apkFails } = messages.install.help;
  const { fromAndroid8, beforeAndroid8, openAgain } = unknownSources;
  const steps = [
    ...(mayHaveAndroid(device, '8') ? [fromAndroid8] : []),
    ...(mayHaveOlderAndroid(device, '8') ? [beforeAndroid8] : []),
    openAgain,
  ];
  return [
    { title: unknownSources.title, lead: unknownSources.lead, items: steps, first: true },
    { title: apkFails.title, lead: apkFails.lead, items: apkFails.reasons, first: false },
  ];
}
