import { type Platform } from '@agate/client';
import { EMPTY_BUILD, type ImportPlan, type PlannedBuild, planOf } from '../plan/import-plan';
import { type ZealotApp, type ZealotChannel, type ZealotRelease, type ZealotScheme } from './zealot-client';

const PLATFORM_OF: Readonly<Record<string, Platform>> = {
  ios: 'ios',
  iphone: 'ios',
  ipad: 'ios',
  universal: 'ios',
  android: 'android',
  macos: 'macos',
  windows: 'windows',
  linux: 'linux',
};

/** Reads the releases of a channel by its key. */
type ReleasesOf = (channelKey: string) => Promise<readonly ZealotRelease[]>;

/**
 * The plan for one project from an app of Zealot. A channel of Zealot has one platform and a channel of Agate has all, so a scheme becomes
 * a channel; channels of a scheme that share a platform become a channel each.
 */
export async function zealotPlan({ schemes = [] }: ZealotApp, releasesOf: ReleasesOf): Promise<ImportPlan> {
  const channels = schemes.flatMap((scheme) => (scheme.channels ?? []).map((channel) => ({ scheme, channel })));
  const builds: PlannedBuild[] = [];
  const remarks: string[] = [];
  for (const { scheme, channel } of channels) {
    const found = await buildsOf(scheme, channel, releasesOf);
    builds.push(...found.builds);
    remarks.push(...found.remarks.map((remark) => `${scheme.name} › ${channel.name} ${remark}`));
  }
  const names = channels.map(({ scheme, channel }) => channelName(scheme, channel));
  return { ...planOf(builds, [], names), remarks };
}

async function buildsOf(
  scheme: ZealotScheme,
  channel: ZealotChannel,
  releasesOf: ReleasesOf,
): Promise<{ readonly builds: readonly PlannedBuild[]; readonly remarks: readonly string[] }> {
  const platform = platformOf(channel.device_type);
  if (platform === undefined)
    return { builds: [], remarks: [`was left out: ${channel.device_type} is not a platform of Agate.`] };
  if (!channel.key) return { builds: [], remarks: ['was left out: this version of Zealot does not tell its key.'] };
  const releases = (await releasesOf(channel.key)).map((release) => ({ release, id: idOf(release) }));
  const name = channelName(scheme, channel);
  const builds = releases.flatMap(({ release, id }) => (id === undefined ? [] : buildOf(id, release, name, platform)));
  const lost = releases.length - builds.length;
  return {
    builds,
    remarks: [
      ...(channel.has_password ? ['has a password. Channels of Agate have none.'] : []),
      ...(lost > 0 ? [`has ${lost} releases without an id, which were left out.`] : []),
    ],
  };
}

/** The name of a release for people, and its address on the server. */
export const fileOf = (id: number): string => `download/releases/${id}`;

/** The id of a release in the name of its file. */
export const idIn = (file: string): number => Number(file.split('/').at(-1));

function channelName(scheme: ZealotScheme, channel: ZealotChannel): string {
  const alike = (scheme.channels ?? []).filter(
    (each) => platformOf(each.device_type) === platformOf(channel.device_type),
  );
  return alike.length > 1 ? `${scheme.name} ${channel.name}` : scheme.name;
}

const platformOf = (type: string | null | undefined): Platform | undefined => PLATFORM_OF[type?.toLowerCase() ?? ''];

/** Versions before 5.3 return no id, but addresses that contain it. */
function idOf({ id, install_url: address }: ZealotRelease): number | undefined {
  const found = id ?? Number(/\/releases\/(\d+)/.exec(address ?? '')?.[1]);
  return Number.isInteger(found) ? found : undefined;
}

function buildOf(id: number, release: ZealotRelease, channel: string, platform: Platform): PlannedBuild {
  const { release_version, build_version, text_changelog, branch, git_commit, ci_url, created_at } = release;
  return {
    ...EMPTY_BUILD,
    file: fileOf(id),
    platform,
    version: release_version || null,
    build_number: build_version || null,
    notes: text_changelog || null,
    branch: branch || null,
    commit: git_commit || null,
    ci_url: ci_url || null,
    uploaded_at: created_at ? new Date(created_at).toISOString() : null,
    releases: [{ channel, notes: null, promoted_at: null }],
  };
}
