import { join } from 'node:path';
import { type Device, type DeviceOs } from '#kernel/builds/device';
import { type Messages } from '#infra/pages/messages/messages';
import { type PageBrand } from '#infra/pages/page-brand';
import { pageTemplate, type PageView } from '#infra/pages/rendering/page-renderer';
import { daysAgo } from './card/format';
import { behindRefusal } from './card/install-actions';
import { type InstallBuild, type InstallPlatform } from './card/install-build';
import {
  appNameOf,
  buildCard,
  type CardContext,
  type CardIcon,
  iconOf,
  type InstallCard,
  overviewCard,
  versionLineOf,
} from './card/install-card';
import { type DeviceInclusion, deviceInclusion, type VisitingDevice } from './device-inclusion';
import { type LinkAddresses } from './link-addresses';
import { type SubscriptionPanel, type SubscriptionPanelSection, subscriptionPanelSection } from './subscription-panel';

export interface InstallPageInput {
  /** The current builds, newest first; of several platforms, or several of one platform. */
  readonly builds: readonly InstallBuild[];
  /** Builds of earlier releases of the channel, newest first. */
  readonly older?: readonly InstallBuild[];
  /** Set on the page of one build of a link that has several. */
  readonly buildId?: string;
  readonly project: { readonly name: string };
  /** The organization that sends the builds. */
  readonly brand: PageBrand;
  /** The channel that the link opens. */
  readonly channel?: { readonly name: string } | null;
  /** Whether the link can have more than one build. Each build then has its own page. */
  readonly manyBuilds?: boolean;
  /** `null` when the link does not belong to a tester. */
  readonly subscriptionPanel?: SubscriptionPanel | null;
  readonly addresses: LinkAddresses;
  readonly device: Device;
  /** The device that reads the page, null when it was not registered from this browser. Absent for links that register no devices. */
  readonly knownDevice?: VisitingDevice | null;
  readonly now: Date;
  readonly messages: Messages;
}

/** The card at the top of the page. For `touchMac` see `ActionVariant`. */
export interface Lead {
  readonly touchMac: 'yes' | 'no' | null;
  readonly card: InstallCard;
  readonly deviceInclusion: DeviceInclusion | null;
}

/** A build in a list, which links to its own page. */
export interface BuildRow {
  readonly path: string;
  readonly name: string;
  readonly icon: CardIcon;
  readonly details: readonly string[];
}

export interface BuildList {
  readonly title: string;
  /** Whether the list starts unfolded: when the page offers nothing else. */
  readonly open: boolean;
  readonly rows: readonly BuildRow[];
}

export interface InstallPageView extends PageView {
  readonly leads: readonly Lead[];
  readonly lists: readonly BuildList[];
  /** On the page of one build: the path of the link's page. */
  readonly back: string | null;
  readonly subscriptionPanel: SubscriptionPanelSection | null;
}

const TEMPLATES = join(__dirname, 'templates');

export const INSTALL_PAGE = pageTemplate<InstallPageView>(TEMPLATES, 'install-page', [
  'app-icon',
  'notes',
  'install-card',
]);

/** The page of an install link. A pure function of its input. */
export function installPageView(input: InstallPageInput): InstallPageView {
  const { builds, messages, subscriptionPanel = null } = input;
  const context = cardContextOf(input);
  const inclusionFor = (build: InstallBuild, device: Device): DeviceInclusion | null => {
    const { knownDevice: known } = input;
    const devicePath = context.addresses.ofAction('device');
    return known === undefined
      ? null
      : deviceInclusion(build, { device, known, devicePath, isTester: subscriptionPanel !== null, messages });
  };
  const chosen = choicesFor(input.device, builds);
  const leads = chosen.map(({ touchMac, os, build, device }): Lead => {
    const card = build ? buildCard(build, device, context) : overviewCard(builds, os, context);
    return { touchMac, ...withInclusion(card, build && inclusionFor(build, device), messages) };
  });
  const [first] = chosen;
  const system = messages.install.systems[first?.build?.platform ?? 'ios'];
  return {
    messages,
    brand: input.brand,
    enhanced: true,
    title: first?.build
      ? messages.install.pageTitle(appNameOf(first.build, context), first.build.version)
      : messages.install.overview.pageTitle(context.projectName),
    description: first?.build
      ? messages.install.pageDescription(context.organization, system)
      : messages.install.overview.pageDescription(context.organization),
    leads,
    lists: listsOf(input, chosen, context),
    back: input.buildId === undefined ? null : context.addresses.ofPage().pagePath,
    subscriptionPanel: subscriptionPanel && subscriptionPanelSection(subscriptionPanel, context.addresses, messages),
  };
}

/** The card and whether the build includes the device. When the build leaves out the device, this stands before the button, which then promises nothing. */
function withInclusion(
  card: InstallCard,
  inclusion: DeviceInclusion | null,
  messages: Messages,
): Omit<Lead, 'touchMac'> {
  const offersButton = card.variants.some(({ primary }) => primary);
  if (inclusion?.state !== 'missing' || !offersButton) return { card, deviceInclusion: inclusion };
  const variants = card.variants.map((action) => behindRefusal(action, inclusion, messages));
  return { card: { ...card, variants }, deviceInclusion: null };
}

function cardContextOf(input: InstallPageInput): CardContext {
  const { addresses } = input;
  return {
    projectName: input.project.name,
    organization: input.brand.name,
    channelName: input.channel?.name ?? null,
    addresses,
    page: addresses.ofPage(input.buildId ?? null),
    manyBuilds: input.manyBuilds ?? false,
    builds: [...input.builds, ...(input.older ?? [])],
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

/** Which build comes first. Two choices when a Mac and an iPad get different builds and only the page's script can tell them apart. */
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

/** The newest build for the device; else, when all builds are for one other platform, the newest of those. */
function firstFor(os: DeviceOs, builds: readonly InstallBuild[]): InstallBuild | null {
  const own = builds.find(({ platform }) => platform === PLATFORMS[os]);
  return own ?? (platformsOf(builds).size === 1 ? (builds[0] ?? null) : null);
}

const platformsOf = (builds: readonly InstallBuild[]): ReadonlySet<InstallPlatform> =>
  new Set(builds.map(({ platform }) => platform));

function listsOf(
  { builds, older = [] }: InstallPageInput,
  chosen: readonly Choice[],
  context: CardContext,
): readonly BuildList[] {
  const { lists } = context.messages.install;
  // With two choices, each is hidden on one kind of device, so the list has all builds.
  const lead = chosen.length === 1 ? (chosen[0]?.build ?? null) : null;
  const rowsOf = (some: readonly InstallBuild[]): BuildRow[] => some.map((build) => rowOf(build, context));
  return [
    {
      title: lead ? lists.others : lists.all,
      open: chosen.some(({ build }) => build === null),
      rows: rowsOf(builds.filter((build) => build !== lead)),
    },
    { title: lists.older, open: false, rows: rowsOf(older) },
  ].filter(({ rows }) => rows.length > 0);
}

function rowOf(build: InstallBuild, context: CardContext): BuildRow {
  const { addresses, messages, now } = context;
  return {
    path: addresses.ofPage(build.id).pagePath,
    name: appNameOf(build, context),
    icon: iconOf(build, context),
    details: [
      versionLineOf(build, messages),
      messages.install.systems[build.platform],
      ...(build.channelName === null ? [] : [build.channelName]),
      daysAgo(build.uploadedAt, now, messages.languageTag),
    ],
  };
}
