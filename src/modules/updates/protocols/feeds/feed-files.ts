import { type Platform } from '#kernel/builds/platform';
import { AppError } from '#kernel/errors/app-error';
import { type Architecture, architectureInName } from '#modules/builds';

/** A file of the current build that an updater can download. */
export interface FeedFile {
  /** An address that names the build by its id. */
  readonly url: string;
  /** An address that names the build by its version, from which electron-updater derives those of block maps. */
  readonly versionedUrl: string;
  readonly fileName: string;
  readonly sizeBytes: number;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
  /** Base64. Null for builds of earlier releases, and for artifacts that electron-updater does not install. */
  readonly sha512: string | null;
  /** The developer's signature of the file, null when there is none. */
  readonly signature: string | null;
  /** Null when it is unknown. */
  readonly arch: Architecture | null;
}

/** The files of a build. */
export interface BuildFiles {
  readonly artifact: FeedFile;
  /** Its attachments of the kind `update`. */
  readonly updates: readonly FeedFile[];
}

/** What an updater can install. */
export interface FeedNeed {
  readonly accepts: RegExp;
  /** The architecture of the installed app. Undefined: the feed contains those of all architectures. */
  readonly arch?: Architecture | undefined;
  /** Whether only a file of exactly this architecture is right. */
  readonly exactly?: boolean;
}

const ANY = /(?:)/;
const ZIP = /\.zip$/i;

/** Squirrel.Mac, which also installs for electron-updater, unpacks a zip. */
export const ZIP_OF_A_MAC_APP: FeedNeed = { accepts: ZIP };
export const ANY_FILE: FeedNeed = { accepts: ANY };

/** What electron-updater requests on a system. */
export interface ElectronFeed {
  readonly platform: Platform;
  readonly need: FeedNeed;
}

const onLinux = (arch: Architecture, exactly: boolean): ElectronFeed => ({
  platform: 'linux',
  need: { ...ANY_FILE, arch, exactly },
});

/** By the end of the feed's name, with the names that Node has for architectures. */
const ELECTRON_FEEDS: Readonly<Record<string, ElectronFeed>> = {
  '': { platform: 'windows', need: ANY_FILE },
  '-mac': { platform: 'macos', need: ZIP_OF_A_MAC_APP },
  '-linux': onLinux('x64', false),
  '-linux-arm64': onLinux('arm64', true),
  '-linux-ia32': onLinux('ia32', true),
};

/** The feed whose name is that of a channel and then `suffix`. @throws AppError not_found for an unknown suffix. */
export function electronFeed(suffix: string): ElectronFeed {
  const feed = ELECTRON_FEEDS[suffix];
  if (!feed) throw AppError.notFound('feed');
  return feed;
}

/** @param arch in the words of Tauri, such as `aarch64`. */
export const needOfTauri = (arch: string): FeedNeed => ({ ...ANY_FILE, arch: architectureInName(arch) ?? undefined });

/**
 * The files of a build that an updater can install, the preferred one first. This function alone decides which file a feed names. Attachments
 * come before the artifact, because they were made for updaters. Without a needed architecture, files for the widest use come first: an
 * updater that reads no architecture takes the first one. With one, its own files come first, and an artifact of an unknown or another
 * architecture last.
 */
export function filesFor({ artifact, updates }: BuildFiles, { accepts, arch, exactly = false }: FeedNeed): FeedFile[] {
  const fitting = [...updates, artifact].filter(({ fileName }) => accepts.test(fileName));
  if (arch === undefined) return fitting.sort((a, b) => rankOf(a) - rankOf(b));
  const own = fitting.filter((file) => file.arch === arch);
  if (exactly) return own;
  const others = fitting.filter((file) => isForAll(file) || (file === artifact && file.arch !== arch));
  return [...own, ...others];
}

const isForAll = ({ arch }: FeedFile): boolean => arch === null || arch === 'universal';

const RANKS: Readonly<Record<Architecture, number>> = { universal: 0, x64: 0, ia32: 1, arm64: 2 };

const rankOf = ({ arch }: FeedFile): number => (arch === null ? 0 : RANKS[arch]);
