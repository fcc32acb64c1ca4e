import { type CurrentBuildOfProjectResponse } from '@agate/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { compareNumbers } from '../../../parts/builds/minimum-os';
import { projectSummaryQuery } from '../../../queries/organization/projects';
import { type Build, buildBeforeQuery, buildQuery } from '../../../queries/project/builds';
import { useProjectPlace } from '../../../session/use-project-place';

type Current = CurrentBuildOfProjectResponse;

/** An older build that testers of channels have now. */
export interface CurrentBuild {
  readonly release: Current;
  /** The names of the channels where it is current. */
  readonly channels: readonly string[];
}

const isNewer = (release: Current, build: Build): boolean =>
  (compareNumbers(release.version, build.version) ||
    compareNumbers(release.build_number ?? '', build.build_number ?? '')) > 0;

/** The older builds of the platform that are current in channels, the latest promotion first. */
function currentBuilds(all: readonly Current[], build: Build): readonly CurrentBuild[] {
  const builds = new Map<string, CurrentBuild>();
  for (const release of all) {
    if (release.platform !== build.platform || release.build_id === build.id || isNewer(release, build)) continue;
    const known = builds.get(release.build_id);
    builds.set(release.build_id, {
      release: known?.release ?? release,
      channels: [...(known?.channels ?? []), release.channel_name],
    });
  }
  return [...builds.values()].sort((a, b) => b.release.promoted_at.localeCompare(a.release.promoted_at));
}

/** The build for the comparison: the older build that testers of a channel have, else the previous build of the platform. */
export function useComparison(build: Build) {
  const { scope } = useProjectPlace();
  const [chosen, setChosen] = useState<string>();
  const { data: summary, error } = useQuery(projectSummaryQuery(scope));
  const choices = currentBuilds(summary?.current ?? [], build);
  const base = choices.find(({ release }) => release.build_id === chosen) ?? choices[0];
  const current = useQuery({ ...buildQuery(scope, base?.release.build_id ?? ''), enabled: base !== undefined });
  const isWithoutCurrent = base === undefined && (summary !== undefined || error !== null);
  const uploaded = useQuery({ ...buildBeforeQuery(scope, build), enabled: isWithoutCurrent });
  const { data: before, isPending } = base ? current : uploaded;
  return { choices, base, before, isPending, choose: setChosen };
}
