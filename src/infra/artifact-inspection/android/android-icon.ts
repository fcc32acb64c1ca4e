import { type Icon, toIcon } from '../formats/image/icon';
import { asEntryName, type ZipArchive } from '../formats/zip/zip-archive';
import { nullIfDamaged, orNull } from '../inspection-errors';
import { LIMITS } from '../limits/limits';
import { ANDROID, attribute } from './manifest/manifest-attributes';
import { type ManifestValue, type XmlParser } from './manifest/manifest-element';
import { type ResourceValues } from './resources';

/** 0xfffe means any density (a vector), 0xffff no density. Bitmaps for a density come first. */
const NO_DENSITY = 0xfffe;
const XML = '.xml';

/** The files of an app, and its resources. */
interface IconFiles {
  readonly zip: ZipArchive;
  /** The folder of the archive that contains the files. */
  readonly folder: string;
  readonly parse: XmlParser;
  readonly valuesOf: (id: number) => ResourceValues;
}

/**
 * The servable bitmap of the highest density; without one, the foreground of an adaptive icon. `null` for icons that consist of vectors only.
 * @param icons the values of the manifest, in the order of preference.
 */
export async function readAndroidIcon(icons: readonly ManifestValue[], files: IconFiles): Promise<Icon | null> {
  const paths = pathsOf(icons, files);
  return (await firstBitmap(paths, files)) ?? firstBitmap(await foregrounds(paths, files), files);
}

async function firstBitmap(paths: readonly string[], files: IconFiles): Promise<Icon | null> {
  const bitmaps = paths.filter((path) => !path.endsWith(XML)).slice(0, LIMITS.iconCandidates);
  for (const path of bitmaps) {
    const bytes = await read(path, files, LIMITS.iconBytes);
    const icon = bytes && toIcon(bytes, files.zip.budget);
    if (icon) return icon;
  }
  return null;
}

/** The files that adaptive icons show in front of their background. */
async function foregrounds(paths: readonly string[], files: IconFiles): Promise<readonly string[]> {
  const drawables: ManifestValue[] = [];
  for (const path of paths.filter((each) => each.endsWith(XML)).slice(0, LIMITS.iconCandidates)) {
    const bytes = await nullIfDamaged(read(path, files, LIMITS.manifestBytes));
    drawables.push(...((bytes && orNull(() => foregroundOf(bytes, files))) ?? []));
  }
  return pathsOf(drawables, files);
}

/** The drawables of `<foreground>`, which names one, or contains a `<bitmap>` or an `<inset>`. */
function foregroundOf(bytes: Buffer, { parse, zip }: IconFiles): ManifestValue[] {
  const [root, ...elements] = parse(bytes, zip.budget);
  if (root?.name !== 'adaptive-icon') return [];
  const start = elements.findIndex(({ depth, name }) => depth === 1 && name === 'foreground');
  const end = elements.findIndex(({ depth }, index) => index > start && depth <= 1);
  const parts = start < 0 ? [] : elements.slice(start, end < 0 ? undefined : end);
  return parts
    .flatMap((part) => [attribute(part, ANDROID.drawable), attribute(part, ANDROID.src)])
    .filter((value) => value !== null);
}

async function read(path: string, { zip, folder }: IconFiles, limitBytes: number): Promise<Buffer | null> {
  const entry = zip.find(asEntryName(folder + path));
  return entry && zip.readIfSmall(entry, limitBytes);
}

/** The paths of drawables, those of the highest density first. */
function pathsOf(values: readonly ManifestValue[], { valuesOf }: IconFiles): string[] {
  const rank = (density: number): number => (density < NO_DENSITY ? density : -1);
  const paths = values.flatMap((value) => {
    if (value.kind !== 'reference') return value.kind === 'text' ? [value.text] : [];
    return [...valuesOf(value.id).texts].sort((a, b) => rank(b.density) - rank(a.density)).map(({ text }) => text);
  });
  return [...new Set(paths)];
}
