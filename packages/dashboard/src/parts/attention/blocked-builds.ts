import { type ProjectSummaryResponse } from '@agate/client';

type CurrentBuild = ProjectSummaryResponse['current'][number];

/** A build that testers get but devices do not install. */
export interface BlockedBuild extends Pick<CurrentBuild, 'build_id' | 'platform' | 'version' | 'build_number'> {
  /** The names of the channels in which it is current. */
  readonly channels: readonly string[];
}

/** The current builds of a project that devices cannot install, each once. */
export function blockedBuilds({ current }: Pick<ProjectSummaryResponse, 'current'>): readonly BlockedBuild[] {
  const blocked = new Map<string, BlockedBuild>();
  for (const { installable, channel_name, ...build } of current) {
    if (installable) continue;
    const channels = [...(blocked.get(build.build_id)?.channels ?? []), channel_name];
    blocked.set(build.build_id, { ...build, channels });
  }
  return [...blocked.values()];
}
