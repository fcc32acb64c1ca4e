import { type FeedBuild } from './feed-build';

export const ELECTRON_TYPE = 'text/yaml; charset=utf-8';

/**
 * The feed of electron-updater, provider `generic`. The file is verified by its SHA-256 (`sha2`), which electron-updater accepts instead
 * of a SHA-512. Strings are quoted as in JSON, which is YAML.
 */
export function electronUpdaterFeed({ version, url, sha256, sizeBytes, since, notes }: FeedBuild): string {
  const quoted = JSON.stringify;
  return [
    `version: ${quoted(version)}`,
    'files:',
    `  - url: ${quoted(url)}`,
    `    sha2: ${quoted(sha256)}`,
    `    size: ${sizeBytes}`,
    `path: ${quoted(url)}`,
    `sha2: ${quoted(sha256)}`,
    `releaseDate: ${quoted(since.toISOString())}`,
    ...(notes === null ? [] : [`releaseNotes: ${quoted(notes)}`]),
    '',
  ].join('\n');
}
