import { type Platform } from '#kernel/builds/platform';
import { AppError } from '#kernel/errors/app-error';
import { type FeedBuild } from './feed-build';
import { type FeedFile } from './feed-files';

/** The JSON that Electron's built-in updater for macOS (Squirrel.Mac) downloads. */
export const squirrelUpdate = ({ files: [file], version, notes, since }: FeedBuild) => ({
  url: file.url,
  name: version,
  notes: notes ?? '',
  pub_date: since.toISOString(),
});

const PLATFORMS: Readonly<Record<string, Platform>> = { darwin: 'macos', windows: 'windows', linux: 'linux' };
export const TAURI_TARGETS = Object.keys(PLATFORMS);

/** The platform of a target. Empty for an unknown one. */
export const tauriPlatforms = (target: string): Platform[] => {
  const platform = Object.hasOwn(PLATFORMS, target) ? PLATFORMS[target] : undefined;
  return platform ? [platform] : [];
};

/** The JSON that the updater of Tauri 2 downloads and verifies. @throws AppError not_found for a file without a signature. */
export function tauriUpdate({ version, files: [{ url, signature }], notes, since }: FeedBuild) {
  if (signature === null) {
    throw new AppError('not_found', {
      message:
        'The file has no signature, which Tauri needs. Store that of the build, or send that of an attachment with it.',
    });
  }
  return { version, url, signature, notes: notes ?? '', pub_date: since.toISOString() };
}

export const ELECTRON_TYPE = 'text/yaml; charset=utf-8';

/**
 * The feed of electron-updater, provider `generic`. Each file is verified by its SHA-512 or, for builds of earlier releases, by its SHA-256
 * (`sha2`), which electron-updater accepts instead. Strings are quoted as in JSON, which is YAML.
 */
export function electronUpdaterFeed({ version, files, since, notes }: FeedBuild): string {
  const quoted = JSON.stringify;
  const [first] = files;
  return [
    `version: ${quoted(version)}`,
    'files:',
    ...files.flatMap((file) => [
      `  - url: ${quoted(file.versionedUrl)}`,
      `    ${hashOf(file)}`,
      `    size: ${file.sizeBytes}`,
    ]),
    `path: ${quoted(first.versionedUrl)}`,
    hashOf(first),
    `releaseDate: ${quoted(since.toISOString())}`,
    ...(notes === null ? [] : [`releaseNotes: ${quoted(notes)}`]),
    '',
  ].join('\n');
}

const hashOf = ({ sha256, sha512 }: FeedFile): string =>
  sha512 === null ? `sha2: ${JSON.stringify(sha256)}` : `sha512: ${JSON.stringify(sha512)}`;
