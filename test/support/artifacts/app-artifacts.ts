import { apk, ipa } from './valid-artifacts';

/** The facts about an app that its artifact contains. */
export interface AppFacts {
  readonly name: string;
  /** Bundle identifier on iOS, package name on Android. */
  readonly bundleId: string;
  readonly version: string;
  readonly buildNumber: number;
}

/** An installable .ipa of an app. */
export const ipaOf = ({ name, bundleId, version, buildNumber }: AppFacts): Buffer =>
  ipa({
    info: {
      CFBundleDisplayName: name,
      CFBundleName: name,
      CFBundleIdentifier: bundleId,
      CFBundleShortVersionString: version,
      CFBundleVersion: String(buildNumber),
    },
    applicationId: `ABCDE12345.${bundleId}`,
  });

/** A signed .apk of an app. */
export const apkOf = ({ name, bundleId, version, buildNumber }: AppFacts): Buffer =>
  apk({
    label: name,
    packageName: bundleId,
    versionName: version,
    versionCode: buildNumber,
    minSdk: 24,
    targetSdk: 34,
  });
