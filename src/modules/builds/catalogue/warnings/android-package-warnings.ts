import {
  type AndroidFault,
  type AndroidFaultCode,
  type InspectedAndroid,
} from '#infra/artifact-inspection/inspected-artifact';
import { advice, blocking, type Finding } from './finding';

/** The app that a fault is found in. */
interface FaultyApp extends Pick<InspectedAndroid, 'abis'> {
  readonly minSdk: number;
  /** `null` when it is the code name of a preview. */
  readonly target: number | null;
}

/** The API levels from which on devices check a property. */
const ALIGNED_TABLE = 30;
const EXPLICIT_EXPORT = 31;
const LIBRARIES_IN_PACKAGE = 23;

const TABLE = 'Store resources.arsc uncompressed, run zipalign, and sign again.';
const PAGES =
  'Devices with memory pages of 16 KiB (some with Android 15 and newer) run the app in a compatibility mode, or not at all.';

/** The warnings about the faults of a package, by their codes. `null` when no device of the app checks the property. */
const FINDINGS: Readonly<Record<AndroidFaultCode, (fault: AndroidFault, app: FaultyApp) => Finding | null>> = {
  splits_missing: () =>
    blocking(
      'splits_missing',
      'This is the base of a split app, which devices refuse without its other parts (INSTALL_FAILED_MISSING_SPLIT). Upload a universal APK.',
    ),
  resources_compressed: (_, app) => tableFinding(app, 'resources_compressed', 'its resources.arsc is compressed'),
  resources_unaligned: (_, app) =>
    tableFinding(app, 'resources_unaligned', 'its resources.arsc is not aligned to 4 bytes'),
  libraries_compressed: (fault, app) =>
    libraryFinding('libraries_compressed', fault, app, 'is compressed. Store lib/*.so uncompressed'),
  libraries_unaligned: (fault, app) =>
    libraryFinding('libraries_unaligned', fault, app, 'is not aligned to pages. Align it with "zipalign -P 16"'),
  libraries_of_small_pages: ({ subject }) =>
    advice(
      'page_size_16_kib',
      `"${subject}" is linked for memory pages of 4 KiB. ${PAGES} Link it with NDK r28 or newer, or with -Wl,-z,max-page-size=16384.`,
    ),
  libraries_on_small_pages: ({ subject }) =>
    advice(
      'page_size_16_kib',
      `"${subject}" is aligned to pages of 4 KiB in the package. ${PAGES} Align it with "zipalign -P 16", and sign again.`,
    ),
  exported_missing: exportFinding,
  preview_sdk: ({ subject }) =>
    advice(
      'preview_sdk',
      `The app is for the preview "${subject}" of Android, so only devices with this preview install it (INSTALL_FAILED_OLDER_SDK). Build it for a released API level.`,
    ),
};

/** A later release, which runs beside this one during an upgrade, may have stored further faults. */
const KNOWN = new Map<string, (typeof FINDINGS)[AndroidFaultCode]>(Object.entries(FINDINGS));

/** The warnings about how a package is made. @param target its target API level. */
export function packageFindings({ faults = [], abis, minSdk }: InspectedAndroid, target: number | null): Finding[] {
  const app: FaultyApp = { abis, minSdk: minSdk ?? 1, target };
  const found = faults.flatMap((fault) => KNOWN.get(fault.code)?.(fault, app) ?? []);
  return found.filter(({ code }, index) => found.findIndex((other) => other.code === code) === index);
}

/** Blocks the app when it is only for devices that refuse it. */
const fromLevel = (level: number, { minSdk }: FaultyApp, code: string, message: string): Finding =>
  minSdk >= level ? blocking(code, message) : advice(code, message);

function tableFinding(app: FaultyApp, code: AndroidFaultCode, cause: string): Finding | null {
  if ((app.target ?? 0) < ALIGNED_TABLE) return null;
  const message = `The app targets API ${app.target}, but ${cause}, so Android 11 and newer refuse it (INSTALL_PARSE_FAILED_RESOURCES_ARSC_COMPRESSED). ${TABLE}`;
  return fromLevel(ALIGNED_TABLE, app, code, message);
}

/** A device uses the libraries of one architecture and does not check the others. */
function libraryFinding(code: AndroidFaultCode, fault: AndroidFault, app: FaultyApp, problem: string): Finding {
  const faulty = fault.abis ?? [];
  const isOfAll = app.abis.every((abi) => faulty.includes(abi));
  const android = app.minSdk < LIBRARIES_IN_PACKAGE ? 'Android 6 and newer' : 'devices';
  const devices = isOfAll ? android : `devices that use ${faulty.join(', ')}`;
  const message = `The app says that native libraries stay in the package (extractNativeLibs is false), so ${devices} refuse it (INSTALL_FAILED_INVALID_APK, res=-2): "${fault.subject}" ${problem}, and sign again, or set extractNativeLibs to true.`;
  return isOfAll ? fromLevel(LIBRARIES_IN_PACKAGE, app, code, message) : advice(code, message);
}

function exportFinding({ subject }: AndroidFault, app: FaultyApp): Finding | null {
  if ((app.target ?? 0) < EXPLICIT_EXPORT) return null;
  const message = `The app targets API ${app.target}, and "${subject}" has an intent filter but no android:exported, so Android 12 and newer refuse it (INSTALL_PARSE_FAILED_MANIFEST_MALFORMED). Set it for all components with a filter, and update the plugins that add some.`;
  return fromLevel(EXPLICIT_EXPORT, app, 'exported_missing', message);
}
