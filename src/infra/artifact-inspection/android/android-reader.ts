import { type ArtifactSource } from '../artifact-source';
import { type ZipArchive } from '../formats/zip/zip-archive';
import { type AndroidSigning, type InspectedAndroid } from '../inspected-artifact';
import { inspectionError, orNull, orReject } from '../inspection-errors';
import { LIMITS } from '../limits/limits';
import { androidContents } from '../reader/contents';
import { readAndroidIcon } from './android-icon';
import { androidVersionOf } from './android-versions';
import { readBinaryXml } from './binary-xml';
import {
  type AndroidManifest,
  describeManifest,
  displayText,
  isCleared,
  isSet,
  PREVIEW_SDK,
  systemVersionName,
} from './manifest/manifest';
import { type ManifestValue, type XmlParser } from './manifest/manifest-element';
import { packageFaults } from './packaging/package-faults';
import { ProtoResources } from './proto-resources';
import { readProtoXml } from './proto-xml';
import { ResourceTable } from './resource-table';
import { type Resources, type ResourceText, type ResourceValues } from './resources';
import { readBundleSigning, readPackageSigning } from './signature/android-signing';

const APK_MANIFEST = 'AndroidManifest.xml';
const BUNDLE_MANIFEST = 'base/manifest/AndroidManifest.xml';
const BUNDLE_CONFIG = 'BundleConfig.pb';
const NATIVE_LIBRARY = /^(?:base\/)?lib\/([a-z0-9_-]{1,32})\/[^/]+$/;
const NO_VALUES: ResourceValues = { texts: [], numbers: [] };

/** The resources of an app, the folder of the archive that contains its files, and its signing. */
interface AppContent {
  readonly resources: Resources | null;
  readonly folder: string;
  /** Reads the XML files of the app. */
  readonly parse: XmlParser;
  readonly signing: AndroidSigning;
  /** The whole file of a package; absent for app bundles, which devices never see. */
  readonly source?: ArtifactSource;
}

/**
 * Reads an .apk and verifies its signatures. A damaged resource table only loses the label and the icon.
 * @param source the whole file.
 * @throws AppError invalid_input.
 */
export async function readApk(zip: ZipArchive, source: ArtifactSource): Promise<InspectedAndroid> {
  const manifest = await readManifest(zip, APK_MANIFEST, readBinaryXml);
  if (manifest.split !== null) throw inspectionError('split_apk');
  const resources = await readResources(zip, 'resources.arsc', (bytes) => new ResourceTable(bytes, zip.budget));
  const signing = await readPackageSigning(zip, source, manifest);
  return describe('apk', zip, manifest, { resources, folder: '', parse: readBinaryXml, signing, source });
}

/**
 * Reads an .aab, whose manifest and resources are protocol buffers. Damaged resources only lose the label and the icon. @throws AppError
 * invalid_input.
 */
export async function readAab(zip: ZipArchive): Promise<InspectedAndroid> {
  if (!zip.find(BUNDLE_CONFIG)) throw missingManifest(zip);
  const manifest = await readManifest(zip, BUNDLE_MANIFEST, readProtoXml);
  const resources = await readResources(zip, 'base/resources.pb', (bytes) => new ProtoResources(bytes, zip.budget));
  const signing = await readBundleSigning(zip);
  return describe('aab', zip, manifest, { resources, folder: 'base/', parse: readProtoXml, signing });
}

async function readManifest(zip: ZipArchive, name: string, parse: XmlParser): Promise<AndroidManifest> {
  const entry = zip.find(name);
  if (!entry) throw missingManifest(zip);
  const bytes = await zip.read(entry, LIMITS.manifestBytes);
  return describeManifest(orReject('corrupt_manifest', () => parse(bytes, zip.budget)));
}

/** Guesses the kind of archive, for a helpful message. */
function missingManifest(zip: ZipArchive): Error {
  const has = (test: (name: string) => boolean): boolean => zip.entries.some((entry) => test(entry.name));
  if (zip.find(BUNDLE_CONFIG))
    return inspectionError(
      'wrong_type',
      'This is an Android App Bundle. Rename it to .aab, or upload a universal APK.',
    );
  if (zip.find(APK_MANIFEST))
    return inspectionError('wrong_type', 'This is an APK, not an Android App Bundle. Rename it to .apk.');
  if (has((name) => name.startsWith('Payload/')))
    return inspectionError('wrong_type', 'This is an iOS app. Rename it to .ipa.');
  if (has((name) => name.endsWith('.apk'))) {
    return inspectionError(
      'unsupported_type',
      'This is a set of split APKs. Upload the universal APK from inside it instead.',
    );
  }
  return inspectionError(
    'no_app',
    'The archive has no AndroidManifest.xml, so it is not an Android app. Upload an app package.',
  );
}

async function describe(
  kind: 'apk' | 'aab',
  zip: ZipArchive,
  manifest: AndroidManifest,
  content: AppContent,
): Promise<InspectedAndroid> {
  const valuesOf = (id: number): ResourceValues => orNull(() => content.resources?.valuesOf(id)) ?? NO_VALUES;
  const label = (id: number): string | null => labelOf(valuesOf(id).texts);
  const isTrue = (value: ManifestValue | null): boolean => isSet(value, (id) => valuesOf(id).numbers);
  const versionName = displayText(manifest.versionName, LIMITS.versionLength, label);
  // Devices install a package without versions, with the version code 0.
  const version = versionName ?? manifest.versionCode ?? (kind === 'apk' ? '0' : null);
  const extracted = !isCleared(manifest.extractNativeLibs, (id) => valuesOf(id).numbers);
  const [minSdk = null, targetSdk = null] = [manifest.minSdk, manifest.targetSdk].map(releasedLevel);
  return {
    kind,
    platform: 'android',
    name: displayText(manifest.label, LIMITS.nameLength, label) ?? manifest.packageName,
    bundleId: manifest.packageName,
    version,
    buildNumber: manifest.versionCode ?? version,
    minOsVersion: minSdk === null ? null : androidVersionOf(minSdk),
    minSdk,
    targetSdk,
    versionName: systemVersionName(manifest, label),
    abis: abisOf(zip),
    debuggable: isTrue(manifest.debuggable),
    testOnly: isTrue(manifest.testOnly),
    ...(content.source && { faults: await packageFaults(zip, content.source, manifest, extracted) }),
    signing: content.signing,
    details: {
      permissions: manifest.permissions,
      usageDescriptions: [],
      entitlements: [],
      devices: null,
      contents: androidContents(zip.entries),
      capabilities: { features: manifest.features, urlSchemes: manifest.urlSchemes, frameworks: [] },
    },
    icon: await readAndroidIcon(manifest.icons, { zip, folder: content.folder, parse: content.parse, valuesOf }),
  };
}

const releasedLevel = (level: number | null): number | null => (level === PREVIEW_SDK ? null : level);

function abisOf(zip: ZipArchive): string[] {
  const abis = zip.entries.map((entry) => NATIVE_LIBRARY.exec(entry.name)?.[1]).filter((abi) => abi !== undefined);
  return [...new Set(abis)].sort().slice(0, 16);
}

async function readResources(
  zip: ZipArchive,
  name: string,
  parse: (bytes: Buffer) => Resources,
): Promise<Resources | null> {
  const entry = zip.find(name);
  const bytes = entry && (await zip.readIfSmall(entry, LIMITS.resourceTableBytes));
  return bytes && orNull(() => parse(bytes));
}

function labelOf(texts: readonly ResourceText[]): string | null {
  return (texts.find((each) => each.anyLocale) ?? texts[0])?.text ?? null;
}
