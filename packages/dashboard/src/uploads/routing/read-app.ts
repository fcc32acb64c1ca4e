import { aabPackage, apkPackage, plistTexts } from './manifests';
import { zipEntry } from './zip-entry';

/** What a file says about its app. */
export interface FoundApp {
  /** Null when the file does not tell. */
  readonly bundleId: string | null;
  /** A name for a new project. */
  readonly name: string;
}

/** Where the packages of phones have the description of their app, and how its bundle id and name are read. */
const KINDS: readonly (readonly [
  fileName: RegExp,
  path: RegExp,
  read: (bytes: Uint8Array) => { bundleId: string | null; name?: string | undefined },
])[] = [
  [
    /\.ipa$/i,
    /^Payload\/[^/]+\.app\/Info\.plist$/,
    (bytes) => {
      const texts = plistTexts(bytes);
      return {
        bundleId: texts.get('CFBundleIdentifier') ?? null,
        name: texts.get('CFBundleDisplayName') ?? texts.get('CFBundleName'),
      };
    },
  ],
  [/\.apk$/i, /^AndroidManifest\.xml$/, (bytes) => ({ bundleId: apkPackage(bytes) })],
  [/\.aab$/i, /^base\/manifest\/AndroidManifest\.xml$/, (bytes) => ({ bundleId: aabPackage(bytes) })],
];

/** The name of a file without its version and its ending: "Rocket-2.1.0.apk" is of Rocket. */
const nameOf = (fileName: string): string => fileName.replace(/\.\w+$/, '').replace(/[-_ ]v?\d.*$/, '') || fileName;

/** Reads the bundle id and the name of an app in the browser. A file that cannot be read has no bundle id. */
export async function readApp(file: File): Promise<FoundApp> {
  const unknown = { bundleId: null, name: nameOf(file.name) };
  const [, path, read] = KINDS.find(([fileName]) => fileName.test(file.name)) ?? [];
  if (!path || !read) return unknown;
  try {
    const bytes = await zipEntry(file, path);
    const { bundleId = null, name } = bytes ? read(bytes) : unknown;
    return { bundleId: bundleId || null, name: name || unknown.name };
  } catch {
    return unknown;
  }
}
