import { type Device, type DeviceOs } from '#kernel/builds/device';
import { type Messages } from '#infra/pages/messages/messages';
import { type PageView, pageTemplate } from '#infra/pages/rendering/page-renderer';
import { type InstallBuild, type InstallPlatform } from './install-build';
import {
  appNameOf,
  buildCard,
  type CardIcon,
  type CardSetting,
  iconOf,
  type InstallCard,
  overviewCard,
  versionLineOf,
} from './install-card';
import { daysAgo } from './install-format';
import { LinkAddresses } from './install-links';
import { type SubscriptionPanel, type SubscriptionPanelSection, subscriptionPanelSection } from './subscription-panel';

export interface InstallPageInput {
  /** What can be installed, newest first; several platforms, or several of one. */
  readonly builds: readonly InstallBuild[];
  /** What was current in the channel before, newest first. */
  readonly older?: readonly InstallBuild[];
  /** The one build whose page it is, behind a link that has many. */
  readonly buildId?: string;
  readonly project: { readonly name: string };
  /** The channel that the link opens. */
  readonly channel?: { readonly name: string } | null;
  /** Whether the link may come to have more than one build: then each has a page of its own. */
  readonly manyBuilds?: boolean;
  /** Of the tester whose link it is. */
  readonly participation?: SubscriptionPanel | null;
  /** `INSTALL_BASE_URL`: where the page is reached from outside, never taken from a request. */
  readonly installBaseUrl: string;
  readonly inviteToken: string;
  readonly device: Device;
  readonly now: Date;
  readonly messages: Messages;
}

/** What is shown first. `touchMac`: only when script finds a touch screen on a "Macintosh" (`yes`), or none (`no`). */
export interface Lead {
  readonly touchMac: 'yes' | 'no' | null;
  readonly card: InstallCard;
}

/** One build among several, and the page it has. */
export interface BuildRow {
  readonly path: string;
  readonly name: string;
  readonly icon: CardIcon;
  readonly details: readonly string[];
}

export interface BuildList {
  readonly title: string;
  /** Whether it is unfolded: where nothing else can be done. */
  readonly open: boolean;
  readonly rows: readonly BuildRow[];
}

export interface InstallPageView extends PageView {
  readonly leads: readonly Lead[];
  readonly lists: readonly BuildList[];
  /** Of the page of one build among several: the path of the page that has them all. */
  readonly back: string | null;
  readonly participation: SubscriptionPanelSection | null;
}

export const INSTALL_PAGE = pageTemplate<InstallPageView>(__dirname, 'install-page', ['app-icon', 'install-card']);

/** The page behind an install link for one reader. Pure: the same input, the same page (contract §9). */
export function installPageView(input: InstallPageInput): InstallPageView {
  const { builds, messages, participation = null } = input;
  const setting = settingOf(input);
  const chosen = choicesFor(input.device, builds);
  const leads = chosen.map(({ touchMac, os, build, device }) => ({
    touchMac,
    card: build ? buildCard(build, device, setting) : overviewCard(builds, os, setting),
  }));
  const [first] = chosen;
  const system = messages.install.systems[first?.build?.platform ?? 'ios'];
  return {
    messages,
    enhanced: true,
    title: first?.build
      ? messages.install.pageTitle(appNameOf(first.build, setting), first.build.version)
      : messages.install.overview.pageTitle(setting.projectName),
    description: first?.build
      ? messages.install.pageDescription(setting.projectName, system)
      : messages.install.overview.pageDescription(setting.projectName),
    leads,
    lists: listsOf(input, chosen, setting),
    back: input.buildId === undefined ? null : setting.addresses.ofPage().pagePath,
    participation: participation && subscriptionPanelSection(participation, setting.addresses, messages),
  };
}

function settingOf(input: InstallPageInput): CardSetting {
  const addresses = new LinkAddresses(input.installBaseUrl, input.inviteToken);
  return {
    projectName: input.project.name,
    channelName: input.channel?.name ?? null,
    addresses,
    page: addresses.ofPage(input.buildId ?? null),
    manyBuilds: input.manyBuilds ?? false,
    now: input.now,
    messages: input.messages,
  };
}

interface Choice {
  readonly touchMac: 'yes' | 'no' | null;
  readonly os: DeviceOs;
  readonly device: Device;
  readonly build: InstallBuild | null;
}

/** Which build comes first. Where only script can tell a Mac from an iPad and it makes a difference: one for each. */
function choicesFor(device: Device, builds: readonly InstallBuild[]): readonly Choice[] {
  const choice = (os: DeviceOs, touchMac: Choice['touchMac']): Choice => ({
    touchMac,
    os,
    device: touchMac === null ? device : { ...device, os, ambiguousMac: false },
    build: firstFor(os, builds),
  });
  if (!device.ambiguousMac || firstFor('macos', builds) === firstFor('ipados', builds))
    return [choice(device.os, null)];
  return [choice('macos', 'no'), choice('ipados', 'yes')];
}

const PLATFORMS: Readonly<Record<DeviceOs, InstallPlatform | null>> = {
  ios: 'ios',
  ipados: 'ios',
  android: 'android',
  macos: 'macos',
  windows: 'windows',
  linux: 'linux',
  unknown: null,
};

/** The newest for the device; else the newest of all, if all are for one other system. */
function firstFor(os: DeviceOs, builds: readonly InstallBuild[]): InstallBuild | null {
  const own = builds.find(({ platform }) => platform === PLATFORMS[os]);
  return own ?? (platformsOf(builds).size === 1 ? (builds[0] ?? null) : null);
}

const platformsOf = (builds: readonly InstallBuild[]): ReadonlySet<InstallPlatform> =>
  new Set(builds.map(({ platform }) => platform));

function listsOf(
  { builds, older = [] }: InstallPageInput,
  chosen: readonly Choice[],
  setting: CardSetting,
): readonly BuildList[] {
  const { lists } = setting.messages.install;
  // Where two choices lead, each is hidden from somebody: all are listed.
  const lead = chosen.length === 1 ? (chosen[0]?.build ?? null) : null;
  const rowsOf = (some: readonly InstallBuild[]): BuildRow[] => some.map((build) => rowOf(build, setting));
  return [
    {
      title: lead ? lists.others : lists.all,
      open: chosen.some(({ build }) => build === null),
      rows: rowsOf(builds.filter((build) => build !== lead)),
    },
    { title: lists.older, open: false, rows: rowsOf(older) },
  ].filter(({ rows }) => rows.length > 0);
}

function rowOf(build: InstallBuild, setting: CardSetting): BuildRow {
  const { addresses, messages, now } = setting;
  return {
    path: addresses.ofPage(build.id).pagePath,
    name: appNameOf(build, setting),
    icon: iconOf(build, setting),
    details: [
      versionLineOf(build, messages),
      messages.install.systems[build.platform],
      ...(build.channelName === null ? [] : [build.channelName]),
      daysAgo(build.uploadedAt, now, messages.languageTag),
    ],
  };
}
