import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Context } from '../context';
import { usageError } from '../output/cli-error';
import { ask, choose } from '../terminal/questions';
import { CI_SYSTEMS, shell, systemsIn } from './ci-systems';
import { type CiSystem } from './snippet';

/**
 * The CI systems to print steps for: those that the options name, otherwise those that the folder uses, otherwise the one that a person
 * chooses.
 * @throws CliError when an option names an unknown system.
 */
export async function chooseSystems(
  context: Context,
  ids: readonly string[] | undefined,
): Promise<readonly CiSystem[]> {
  if (ids) return ids.map(systemWith);
  const found = systemsIn(existsIn(context));
  if (found.length > 0) return found;
  if (!context.isInteractive) return [shell];
  const names = CI_SYSTEMS.map(({ name }) => name);
  return [CI_SYSTEMS[await choose(context, 'Which CI builds the app?', names)]!];
}

/** The path that the CI uploads: the option, otherwise the answer of a person, otherwise the folder into which the build tools write. */
export async function chooseArtifact(context: Context, path: string | undefined): Promise<string> {
  if (path !== undefined) return path;
  const guess = guessArtifact(existsIn(context));
  return context.isInteractive ? ask(context, 'File or folder that the CI is to upload:', guess) : guess;
}

/** @throws CliError when there is no such system. */
export function systemWith(id: string): CiSystem {
  const system = CI_SYSTEMS.find((each) => each.id === id);
  if (system) return system;
  throw usageError(`There are no steps for "${id}". Use one of ${CI_SYSTEMS.map((each) => each.id).join(', ')}.`);
}

const existsIn =
  ({ process }: Context) =>
  (path: string): boolean =>
    existsSync(join(process.cwd, path));

/** The folders into which the build tools of each kind of project write, by a file that shows the kind. The first existing file counts. */
const ARTIFACTS: readonly (readonly [sign: string, artifact: string])[] = [
  ['pubspec.yaml', 'build/app/outputs/flutter-apk/app-release.apk'],
  ['android/app/build.gradle', 'android/app/build/outputs/apk/release'],
  ['android/app/build.gradle.kts', 'android/app/build/outputs/apk/release'],
  ['app/build.gradle', 'app/build/outputs/apk/release'],
  ['app/build.gradle.kts', 'app/build/outputs/apk/release'],
];

/** The file or folder that a project probably uploads. @param exists whether the folder has a path. */
export const guessArtifact = (exists: (path: string) => boolean): string =>
  ARTIFACTS.find(([sign]) => exists(sign))?.[1] ?? 'build';
