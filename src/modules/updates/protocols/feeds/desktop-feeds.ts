import { type FeedBuild } from './feed-build';

/** The JSON that Electron's built-in updater for macOS (Squirrel.Mac) downloads. */
export const squirrelUpdate = ({ url, version, notes, since }: FeedBuild) => ({
  url,
  name: version,
  notes: notes ?? '',
  pub_date: since.toISOString(),
});

/** The JSON that the updater of Tauri 2 downloads and verifies. */
export const tauriUpdate = ({ version, url, notes, since }: FeedBuild, signature: string) => ({
  version,
  url,
  signature,
  notes: notes ?? '',
  pub_date: since.toISOString(),
});

export const ELECTRON_TYPE = 'text/yaml; charset=utf-8';

/**
 * The feed of electron-updater, provider `generic`. The file is verified by its SHA-512 or, for builds of earlier releases, by its SHA-256
 * (`sha2`), which electron-updater accepts instead. Strings are quoted as in JSON, which is YAML.
 */
export function electronUpdaterFeed(build: FeedBuild): string {
  const { version, url, sizeBytes, since, notes } = build;
  const quoted = JSON.stringify;
  const hash = build.sha512 === null ? `sha2: ${quoted(build.sha256)}` : `sha512: ${quoted(build.sha512)}`;
  return [
    `version: ${quoted(version)}`,
    'files:',
    `  - url: ${quoted(url)}`,
    `    ${hash}`,
    `    size: ${sizeBytes}`,
    `path: ${quoted(url)}`,
    hash,
    `releaseDate: ${quoted(since.toISOString())}`,
    ...(notes === null ? [] : [`releaseNotes: ${quoted(notes)}`]),
    '',
  ].join('\n');
}
