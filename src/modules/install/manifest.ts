import { build } from 'plist';
import { AppError } from '#kernel/errors/app-error';

/** `text/xml` is what Apple's deployment reference names for `.plist`. */
export const MANIFEST_CONTENT_TYPE = 'text/xml; charset=utf-8';

/** What iOS needs to install one app over the air. URLs are absolute. */
export interface OtaManifest {
  readonly packageUrl: string;
  /** Must equal the app's CFBundleIdentifier. */
  readonly bundleIdentifier: string;
  /** CFBundleShortVersionString: shown by no one, but every service sends it. */
  readonly version: string;
  readonly title: string;
  readonly subtitle?: string | null;
  /** Real PNGs only, 57 px and 512 px; left out when there are none. */
  readonly displayImageUrl?: string | null;
  readonly fullSizeImageUrl?: string | null;
}

/**
 * The manifest behind an `itms-services` link (schema: Apple, device-management, manifesturl). Whatever the values hold,
 * the document is well-formed. A title of one character, which iOS refuses, is lengthened by the version.
 * @throws AppError operation_not_allowed: a bundle identifier of one character or none cannot be installed over the air
 */
export function otaManifest(manifest: OtaManifest): string {
  const bundleIdentifier = xmlText(manifest.bundleIdentifier).trim();
  if (bundleIdentifier.length < 2) {
    throw new AppError('operation_not_allowed', {
      message: 'This app has no usable bundle identifier, so iOS cannot install it from a link.',
    });
  }
  const assets: readonly (readonly [string, string | null | undefined])[] = [
    ['software-package', manifest.packageUrl],
    ['display-image', manifest.displayImageUrl],
    ['full-size-image', manifest.fullSizeImageUrl],
  ];
  const subtitle = xmlText(manifest.subtitle ?? '').trim();
  const metadata = {
    'bundle-identifier': bundleIdentifier,
    'bundle-version': xmlText(manifest.version),
    kind: 'software',
    'platform-identifier': 'com.apple.platform.iphoneos',
    ...(subtitle && { subtitle }),
    title: titleOf(manifest),
  };
  const list = assets.flatMap(([kind, url]) => (url ? [{ kind, url: xmlText(url) }] : []));
  return build({ items: [{ assets: list, metadata }] }, { pretty: false });
}

/**
 * The link that makes iOS fetch a manifest. The URL is encoded as a whole (a `%20` in it becomes `%2520`), and the empty
 * authority is needed: without it the link does nothing.
 */
export const itmsServicesUrl = (manifestUrl: string): string =>
  `itms-services://?action=download-manifest&url=${encodeURIComponent(manifestUrl)}`;

function titleOf({ title, version }: OtaManifest): string {
  const shown = xmlText(title).trim();
  if ([...shown].length > 1) return shown;
  return `${shown || 'App'} ${xmlText(version).trim()}`.trim().padEnd(2, '.');
}

/** Without the characters XML 1.0 cannot hold, however escaped (production 2), and without their replacement. */
const xmlText = (value: string): string =>
  value.toWellFormed().replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffd-\uffff]/gu, '');
