import { cleanText, isStorableText } from '#kernel/text/text';
import { inspectionError } from '../../inspection-errors';
import { LIMITS } from '../../limits/limits';
import { ANDROID, attribute, integerOf, type Known, named, textOf } from './manifest-attributes';
import { unexportedComponent } from './manifest-components';
import { type ManifestElement, type ManifestValue } from './manifest-element';

const PACKAGE_NAME = /^[A-Za-z][A-Za-z0-9_]*(\.[A-Za-z][A-Za-z0-9_]*)+$/;

/** The API level of previews: newer than all levels that exist (`Build.VERSION_CODES.CUR_DEVELOPMENT`). */
export const PREVIEW_SDK = 10_000;

/** Such as `VanillaIceCream`, with or without a fingerprint of the preview. */
const CODE_NAME = /^[A-Z]/;

/** The contents of `AndroidManifest.xml`. Labels, icons, version names and flags can be references to resources. */
export interface AndroidManifest {
  readonly packageName: string;
  readonly versionCode: string | null;
  readonly versionName: ManifestValue | null;
  readonly split: string | null;
  /** API levels. `PREVIEW_SDK` for the code name of a preview. */
  readonly minSdk: number | null;
  readonly targetSdk: number | null;
  readonly label: ManifestValue | null;
  readonly icons: readonly ManifestValue[];
  readonly debuggable: ManifestValue | null;
  readonly testOnly: ManifestValue | null;
  /** Whether devices unpack native libraries. They do unless the value is false. */
  readonly extractNativeLibs: ManifestValue | null;
  /** Whether the package is the base of an app that is installed together with its splits. */
  readonly requiresSplits: boolean;
  /** The name of the first component that devices find without an explicit `exported`. */
  readonly unexportedComponent: string | null;
  /** The code name of the preview of Android for which the package is made. */
  readonly previewName: string | null;
  /** Sorted, each once. */
  readonly permissions: readonly string[];
  /** Sorted, each once. */
  readonly features: readonly string[];
  /** Sorted, each once. */
  readonly urlSchemes: readonly string[];
}

/** Extracts the manifest from its elements. @throws AppError invalid_input when it describes no package. */
export function describeManifest(elements: readonly ManifestElement[]): AndroidManifest {
  const manifest = elements.find((element) => element.depth === 0 && element.name === 'manifest');
  if (!manifest) throw inspectionError('corrupt_manifest');
  const application = elements.find((element) => element.depth === 1 && element.name === 'application');
  // Devices read each of these elements completely, so that the last one counts.
  const sdk = elements.findLast((element) => element.depth === 1 && element.name === 'uses-sdk');
  const packageName = textOf(named(manifest, 'package')) ?? '';
  if (packageName.length > LIMITS.nameLength || !PACKAGE_NAME.test(packageName))
    throw inspectionError('invalid_bundle_id');
  return {
    packageName,
    versionCode: versionCodeOf(manifest),
    versionName: attribute(manifest, ANDROID.versionName),
    split: textOf(named(manifest, 'split')),
    minSdk: apiLevelOf(attribute(sdk, ANDROID.minSdkVersion)),
    targetSdk: apiLevelOf(attribute(sdk, ANDROID.targetSdkVersion)),
    label: attribute(application, ANDROID.label),
    icons: [ANDROID.icon, ANDROID.roundIcon]
      .map((known) => attribute(application, known))
      .filter((icon) => icon !== null),
    debuggable: attribute(application, ANDROID.debuggable),
    testOnly: attribute(application, ANDROID.testOnly),
    extractNativeLibs: attribute(application, ANDROID.extractNativeLibs),
    requiresSplits: requiresSplits(manifest),
    unexportedComponent: unexportedComponent(elements),
    previewName:
      codeNameOf(attribute(sdk, ANDROID.minSdkVersion)) ?? codeNameOf(attribute(sdk, ANDROID.targetSdkVersion)),
    permissions: textsOf(
      elements.filter(({ depth, name }) => depth === 1 && USES_PERMISSION.includes(name)),
      ANDROID.name,
    ),
    features: textsOf(
      elements.filter(({ depth, name }) => depth === 1 && name === 'uses-feature'),
      ANDROID.name,
    ),
    urlSchemes: textsOf(
      elements.filter(({ name }) => name === 'data'),
      ANDROID.scheme,
    ),
  };
}

const USES_PERMISSION = ['uses-permission', 'uses-permission-sdk-23'];

/** The texts of an attribute, sorted, each once. */
function textsOf(elements: readonly ManifestElement[], known: Known): string[] {
  const texts = elements
    .map((element) => cleanText(textOf(attribute(element, known)) ?? '', LIMITS.nameLength))
    .filter((text) => text !== '');
  return [...new Set(texts)].sort().slice(0, LIMITS.facts);
}

/** The long version code, `versionCodeMajor << 32 | versionCode`, which exceeds the precision of a number. */
function versionCodeOf(manifest: ManifestElement): string | null {
  const code = integerOf(attribute(manifest, ANDROID.versionCode));
  if (code === null) return null;
  const major = integerOf(attribute(manifest, ANDROID.versionCodeMajor)) ?? 0;
  return String((BigInt(major >>> 0) << 32n) | BigInt(code >>> 0));
}

/** A level is a number or the code name of a preview. Only devices with this preview install an app that requires it. */
function apiLevelOf(value: ManifestValue | null): number | null {
  return codeNameOf(value) === null ? integerOf(value) : PREVIEW_SDK;
}

const codeNameOf = (value: ManifestValue | null): string | null => {
  const text = textOf(value) ?? '';
  return CODE_NAME.test(text) ? cleanText(text, LIMITS.nameLength) : null;
};

/** Devices read both attributes without resolving references. */
const requiresSplits = (manifest: ManifestElement): boolean =>
  isSet(attribute(manifest, ANDROID.isSplitRequired), () => []) ||
  (textOf(attribute(manifest, ANDROID.requiredSplitTypes)) ?? '').trim() !== '';

/** Whether a flag is set. @param resolve returns the values of a resource in all configurations; one that is set counts. */
export function isSet(value: ManifestValue | null, resolve: (id: number) => readonly number[]): boolean {
  if (value?.kind === 'reference') return resolve(value.id).some((each) => each !== 0);
  return (value?.kind === 'number' && value.number !== 0) || (value?.kind === 'text' && value.text === 'true');
}

/** Whether a flag whose default is true was set to false. @param resolve as of `isSet`. */
export function isCleared(value: ManifestValue | null, resolve: (id: number) => readonly number[]): boolean {
  if (value?.kind === 'reference') return resolve(value.id).length > 0 && !isSet(value, resolve);
  return (value?.kind === 'number' && value.number === 0) || (value?.kind === 'text' && value.text === 'false');
}

/** The version name as the system reports it to the app. `null` without one. A text that cannot be stored is cleaned. */
export function systemVersionName(
  { versionName }: AndroidManifest,
  resolve: (id: number) => string | null,
): string | null {
  const text = textOfValue(versionName, resolve);
  return text === null || (isStorableText(text) && text.length <= LIMITS.factLength)
    ? text
    : cleanText(text, LIMITS.factLength);
}

/** The text of a value, or of the resource to which it refers. */
function textOfValue(value: ManifestValue | null, resolve: (id: number) => string | null): string | null {
  if (value?.kind === 'reference') return resolve(value.id);
  return value && (value.kind === 'text' ? value.text : String(value.number));
}

/** Converts a value to display text: resolves references and cleans the text. `null` when the result is empty. */
export const displayText = (
  value: ManifestValue | null,
  maxLength: number,
  resolve: (id: number) => string | null,
): string | null => cleanText(textOfValue(value, resolve) ?? '', maxLength) || null;
