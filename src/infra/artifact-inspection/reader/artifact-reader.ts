import { AppError } from '#kernel/errors/app-error';
import { readAab, readApk } from '../android/android-reader';
import { type ArtifactSource } from '../artifact-source';
import { BlockReader } from '../formats/zip/block-reader';
import { ZipArchive } from '../formats/zip/zip-archive';
import { type InspectedArtifact, type InspectedOther } from '../inspected-artifact';
import { inspectionError } from '../inspection-errors';
import { readIpa } from '../ios/ipa-reader';
import { debugFilesByName, debugFilesIn } from './debug-files';

const READERS = new Map<string, (zip: ZipArchive, source: ArtifactSource) => Promise<InspectedArtifact>>([
  ['ipa', readIpa],
  ['apk', readApk],
  ['aab', readAab],
]);

const SPLIT_APKS = 'Split APKs cannot be installed from a browser. Upload the universal APK instead.';
const UNSUPPORTED = new Map<string, string>([
  ['apks', SPLIT_APKS],
  ['xapk', SPLIT_APKS],
  ['apkm', SPLIT_APKS],
  ['hap', 'HarmonyOS packages are not supported. Upload an .ipa or .apk file.'],
]);

/** The metadata of a file that is not parsed. */
const OTHER: InspectedOther = {
  kind: 'other',
  platform: null,
  name: null,
  bundleId: null,
  version: null,
  buildNumber: null,
  minOsVersion: null,
  icon: null,
  signing: null,
  details: null,
};

const extensionOf = (fileName: string): string => /\.([a-z0-9]+)$/.exec(fileName.toLowerCase())?.[1] ?? '';

/** Whether files with this name are parsed. */
export const isParsed = (fileName: string): boolean => READERS.has(extensionOf(fileName)) || isPlainZip(fileName);

/** Whether the content of a file with this name is only advice. A failure to read it must not reject the upload. */
export const isPlainZip = (fileName: string): boolean => extensionOf(fileName) === 'zip';

/** The metadata of a file whose content is not read. */
export function otherFile(fileName: string): InspectedOther {
  const debugFiles = debugFilesByName(fileName);
  return debugFiles ? { ...OTHER, debugFiles } : OTHER;
}

/** Damaged and hostile archives count as any other file: the service does not unpack them. */
async function readPlainZip(source: ArtifactSource, fileName: string): Promise<InspectedOther> {
  try {
    const debugFiles = debugFilesIn((await ZipArchive.open(new BlockReader(source))).entries);
    return debugFiles ? { ...OTHER, debugFiles } : otherFile(fileName);
  } catch (error) {
    if (error instanceof AppError && error.errorCase === 'invalid_input') return otherFile(fileName);
    throw error;
  }
}

/**
 * Reads the metadata of an artifact in the calling thread; use `ArtifactInspector` for uploads. The file extension selects the reader, and
 * the content must match it.
 * @throws AppError invalid_input with a reason of `INSPECTION_ERRORS`.
 */
export async function readArtifact(source: ArtifactSource, fileName: string): Promise<InspectedArtifact> {
  if (source.sizeBytes === 0) throw inspectionError('empty_file');
  const extension = extensionOf(fileName);
  const unsupported = UNSUPPORTED.get(extension);
  if (unsupported) throw inspectionError('unsupported_type', unsupported);
  const read = READERS.get(extension);
  if (read) return read(await ZipArchive.open(new BlockReader(source)), source);
  return isPlainZip(fileName) ? readPlainZip(source, fileName) : otherFile(fileName);
}
