import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Platform } from '@agate/client';
import { usageError } from '../output/cli-error';
import { rejectOutside } from './inside';

/** The feeds that electron-builder writes beside what it has built. */
const FEEDS: Partial<Record<Platform, string>> = {
  macos: 'latest-mac.yml',
  windows: 'latest.yml',
  linux: 'latest-linux.yml',
};

/** For people, the best first. */
const ARTIFACTS = [/\.dmg$/i, /\.pkg$/i, /\.exe$/i, /\.AppImage$/i, /\.zip$/i];

/** What electron-builder has built: paths of files. */
export interface ElectronBuild {
  readonly version: string;
  /** The file that people install. */
  readonly artifact: string;
  /** The files for updaters, and block maps. */
  readonly others: readonly string[];
}

/**
 * The files that electron-builder's feed in a folder names, with their block maps. Null when the folder has no feed for the platform.
 * @throws CliError when the feed names no version or a file outside of the folder, or no file.
 */
export function electronBuildIn(folder: string, platform: Platform | undefined): ElectronBuild | null {
  const name = platform && FEEDS[platform];
  if (name === undefined || !existsSync(join(folder, name))) return null;
  const feed = readFileSync(join(folder, name), 'utf8');
  const version = valuesOf(feed, /^version: *(.+)$/gm)[0];
  const files = valuesOf(feed, /^ *- url: *(.+)$/gm).map((file) => join(folder, file));
  const artifact = ARTIFACTS.flatMap((pattern) => files.find((file) => pattern.test(file)) ?? [])[0];
  if (version === undefined || artifact === undefined)
    throw usageError(`${name} names no version or no file to install.`);
  const others = files.filter((file) => file !== artifact);
  const blockmaps = files.map((file) => `${file}.blockmap`).filter((file) => existsSync(file));
  for (const file of [...files, ...blockmaps]) rejectOutside(folder, file);
  return { version, artifact, others: [...others, ...blockmaps] };
}

/** Values of the YAML that electron-builder writes, which quotes some. */
const valuesOf = (feed: string, pattern: RegExp): string[] =>
  [...feed.matchAll(pattern)].map(([, value = '']) => value.trim().replace(/^(['"])(.*)\1$/, '$2'));
