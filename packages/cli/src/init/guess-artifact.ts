/** Where kinds of projects put their builds, by a file that shows the kind. The first that exists counts. */
const ARTIFACTS: readonly (readonly [sign: string, artifact: string])[] = [
  ['pubspec.yaml', 'build/app/outputs/flutter-apk/app-release.apk'],
  ['android/app/build.gradle', 'android/app/build/outputs/apk/release'],
  ['android/app/build.gradle.kts', 'android/app/build/outputs/apk/release'],
  ['app/build.gradle', 'app/build/outputs/apk/release'],
  ['app/build.gradle.kts', 'app/build/outputs/apk/release'],
];

/** What a project is likely to upload: a file or folder. @param exists whether the folder has a path. */
export const guessArtifact = (exists: (path: string) => boolean): string =>
  ARTIFACTS.find(([sign]) => exists(sign))?.[1] ?? 'build';
