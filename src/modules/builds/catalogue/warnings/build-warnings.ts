import { type Platform } from '#kernel/builds/platform';
import { versionName } from '#kernel/builds/version-name';
import { verifiedCertificateOf } from '../android-certificate';
import { type Build, type BuildWarning } from '../build';
import { compareVersions } from './compare-versions';

/** The earlier builds that a new build is compared with. */
export interface Predecessors {
  /** The newest build of the same app and platform. Apps differ by their bundle id. */
  readonly last: Pick<Build, 'id' | 'version' | 'buildNumber' | 'artifact'> | null;
  /** The newest build with the same bytes. */
  readonly sameBytes: Pick<Build, 'id' | 'version' | 'buildNumber'> | null;
}

const DESKTOP: readonly Platform[] = ['macos', 'windows', 'linux'];
/** Semantic Versioning 2.0.0, which the updaters of Electron and Tauri require. */
const SEMANTIC =
  /^v?(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-((0|[1-9]\d*|\d*[A-Za-z-][0-9A-Za-z-]*)(\.(0|[1-9]\d*|\d*[A-Za-z-][0-9A-Za-z-]*))*))?(\+[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?$/;

type Candidate = Pick<Build, 'platform' | 'version' | 'buildNumber' | 'artifact'>;

/** Warnings from the comparison with the project's earlier builds. Computed once, at the upload. */
export function comparisonWarnings(build: Candidate, { last, sameBytes }: Predecessors): BuildWarning[] {
  const warnings: BuildWarning[] = [];
  if (sameBytes) {
    const message = `This file was uploaded before, as ${nameOf(sameBytes)} (${sameBytes.id}).`;
    warnings.push({ code: 'duplicate_of', message });
  } else if (last && compare(build, last) <= 0) {
    const message = `${nameOf(build)} is not higher than the last build, ${nameOf(last)}. Devices may reject it as an update.`;
    warnings.push({ code: 'version_not_higher', message });
  }
  const [before, after] = [last?.artifact, build.artifact].map(
    (artifact) => artifact && verifiedCertificateOf(artifact),
  );
  if (before && after && before !== after) {
    const message =
      'This build is signed with another certificate than the last build. Testers must uninstall the last build first.';
    warnings.push({ code: 'certificate_changed', message });
  }
  if (DESKTOP.includes(build.platform) && !SEMANTIC.test(build.version)) {
    const message = `${build.version} is not a semantic version, such as 1.2.3. electron-updater and Tauri stop with an error instead of updating to it. Other frameworks are not affected.`;
    warnings.push({ code: 'version_not_semantic', message });
  }
  return warnings;
}

const nameOf = ({ version, buildNumber }: Pick<Build, 'version' | 'buildNumber'>): string =>
  versionName(version, buildNumber);

/** Android devices decide by the build number (`versionCode`), others by the version and then by the build number. */
function compare(a: Candidate, b: Pick<Build, 'version' | 'buildNumber'>): number {
  const versions = compareVersions(a.version, b.version);
  const numbers = compareVersions(a.buildNumber ?? '0', b.buildNumber ?? '0');
  return a.platform === 'android' ? numbers || versions : versions || numbers;
}
