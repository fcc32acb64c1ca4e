import { readAab, readApk } from '../android/android-reader';
import { type ArtifactSource } from '../artifact-source';
import { type InspectedArtifact, type InspectedOther } from '../inspected-artifact';
import { readIpa } from '../ios/ipa-reader';
import { inspectionError } from '../inspection-errors';
import { BlockReader } from '../formats/zip/block-reader';
import { ZipArchive } from '../formats/zip/zip-archive';

const READERS = new Map<string, (zip: ZipArchive) => Promise<InspectedArtifact>>([
  ['ipa', readIpa],
  ['apk', readApk],
  ['aab', readAab],
]);

const UPLOAD_THE_APK = 'Split APKs cannot be installed from a browser. Upload the universal APK instead.';
const REFUSED = new Map<string, string>([
  ['apks', UPLOAD_THE_APK],
  ['xapk', UPLOAD_THE_APK],
  ['apkm', UPLOAD_THE_APK],
  ['hap', 'HarmonyOS packages are not supported.'],
]);

/** Nothing is known of it but that it is there. */
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
};

const extensionOf = (fileName: string): string => /\.([a-z0-9]+)$/.exec(fileName.toLowerCase())?.[1] ?? '';

/** Whether the answer for a file of this name depends on its content. */
export const isParsed = (fileName: string): boolean => READERS.has(extensionOf(fileName));

/**
 * Reads what an artifact says about itself, in the calling thread. The kind follows from the file name, and the content has
 * to agree. Rejects with `invalid_input` and one of `INSPECTION_ERRORS`; use `ArtifactInspector` for anything that was uploaded.
 */
export async function readArtifact(source: ArtifactSource, fileName: string): Promise<InspectedArtifact> {
  if (source.sizeBytes === 0) throw inspectionError('empty_file');
  const extension = extensionOf(fileName);
  const refused = REFUSED.get(extension);
  if (refused) throw inspectionError('unsupported_type', refused);
  const read = READERS.get(extension);
  return read ? read(await ZipArchive.open(new BlockReader(source))) : OTHER;
}
