import { artifactFromJson, installability } from '#modules/builds';
import { type OpenedBuild } from '../../current/current-build';
import { type InstalledApp, isSupported, osRequirementOf, relationOf, runsOn } from './relation';
import { type UpdateCheckResponse } from './update-check.dto';

/** An installed app and its device. */
export interface CheckingApp extends InstalledApp {
  readonly osVersion?: string | undefined;
}

/** The addresses of the key, and the time. */
interface CheckFacts {
  readonly installUrl: string;
  readonly packageUrl: string;
  readonly now: Date;
}

/** The response to an installed app about the current build. Depends on nothing else, so that repeated responses are the same bytes. */
export function checkUpdate(
  { platform, minSupported, build }: OpenedBuild,
  app: CheckingApp,
  { installUrl, packageUrl, now }: CheckFacts,
): UpdateCheckResponse {
  const artifact = artifactFromJson(build.artifact);
  const relation = relationOf(platform, build, app);
  const requirement = osRequirementOf(artifact);
  const available =
    relation === 'newer' && installability(artifact, now).installable && runsOn(requirement, app.osVersion);
  return {
    update_available: available,
    mandatory: available && (build.mandatory || !isSupported(platform, app, minSupported)),
    relation,
    release: {
      sequence: build.sequence,
      version: build.version,
      build_number: build.buildNumber,
      notes: build.notes,
      size_bytes: build.sizeBytes,
      sha256: build.sha256,
      min_os_version: requirement.minOsVersion,
      min_sdk: requirement.minSdk,
      promoted_at: build.since.toISOString(),
    },
    install_url: installUrl,
    package_url: packageUrl,
  };
}
