import { cleanText } from '#kernel/text/text';
import { type ZipEntry } from '../formats/zip/zip-archive';
import { type ArtifactContents, type ContentKind } from '../inspected-artifact';
import { LIMITS } from '../limits/limits';

/** The kinds of files by their paths. The first pattern that matches counts. */
type Kinds = readonly (readonly [ContentKind, RegExp])[];

const ANDROID: Kinds = [
  ['code', /^(base\/dex\/)?[^/]+\.dex$/],
  ['native', /^(base\/)?lib\//],
  ['resources', /^(base\/)?(res\/|resources\.(arsc|pb)$)/],
  ['assets', /^(base\/)?assets\//],
];

const IOS: Kinds = [
  ['frameworks', /^Frameworks\//],
  ['plugins', /^(PlugIns|Extensions|Watch|AppClips)\//],
  ['assets', /(^|\/)Assets\.car$|\.(png|jpe?g|webp|mp3|m4a|mp4|ttf|otf)$/i],
  ['resources', /\.(nib|storyboardc|strings|stringsdict|plist|lproj|bundle)(\/|$)/],
  // The executable has no extension and is in the folder of the app.
  ['code', /^[^./]+$/],
];

/** The files of an Android package or app bundle, by kind and by size. */
export const androidContents = (entries: readonly ZipEntry[]): ArtifactContents => contentsOf(entries, '', ANDROID);

/** The files of an iOS app, by kind and by size. @param folder of the app in the archive, with its slash. */
export const iosContents = (entries: readonly ZipEntry[], folder: string): ArtifactContents =>
  contentsOf(entries, folder, IOS);

function contentsOf(entries: readonly ZipEntry[], folder: string, kinds: Kinds): ArtifactContents {
  const sizes: Partial<Record<ContentKind, number>> = {};
  const files = entries.filter(({ name }) => name.startsWith(folder) && !name.endsWith('/'));
  const sized = files.map(({ name, compressedBytes }) => ({ name: name.slice(folder.length), compressedBytes }));
  for (const { name, compressedBytes } of sized) {
    const kind = kinds.find(([, pattern]) => pattern.test(name))?.[0] ?? 'other';
    sizes[kind] = (sizes[kind] ?? 0) + compressedBytes;
  }
  const largest = sized.sort((a, b) => b.compressedBytes - a.compressedBytes).slice(0, LIMITS.contentFiles);
  return {
    fileCount: files.length,
    sizes,
    files: largest.map(({ name, compressedBytes }) => ({ path: pathOf(name), sizeBytes: compressedBytes })),
  };
}

/** The end of a long path says more than its beginning. */
function pathOf(name: string): string {
  const path = Buffer.from(name, 'latin1').toString('utf8');
  return cleanText(path.slice(-LIMITS.contentPathLength), LIMITS.contentPathLength);
}
