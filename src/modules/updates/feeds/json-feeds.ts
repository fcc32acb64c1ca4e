import { type FeedBuild } from './feed-build';

/** What Electron's built-in updater for macOS (Squirrel.Mac) downloads. */
export const squirrelUpdate = ({ url, version, notes, since }: FeedBuild) => ({
  url,
  name: version,
  notes: notes ?? '',
  pub_date: since.toISOString(),
});

/** What the updater of Tauri 2 downloads and verifies. */
export const tauriUpdate = ({ version, url, notes, since }: FeedBuild, signature: string) => ({
  version,
  url,
  signature,
  notes: notes ?? '',
  pub_date: since.toISOString(),
});
