import { build } from 'plist';
import { AppError } from '#kernel/errors/app-error';
import { xmlText } from '#kernel/text/xml-text';

/** Apple's deployment reference specifies `text/xml` for `.plist` files. */
export const MANIFEST_CONTENT_TYPE = 'text/xml; charset=utf-8';

/** The data of an over-the-air manifest for one app. URLs are absolute. */
export interface OtaManifest {
  readonly packageUrl: string;
  /** Must equal the app's CFBundleIdentifier. */
  readonly bundleIdentifier: string;
  /** CFBundleShortVersionString. iOS does not show it, but the schema requires it. */
  readonly version: string;
  readonly title: string;
  readonly subtitle?: string | null;
  /** PNG images of 57 px and 512 px. Left out of the manifest when null. */
  readonly displayImageUrl?: string | null;
  readonly fullSizeImageUrl?: string | null;
}

/**
 * The manifest that an `itms-services` link names (schema: Apple, device-management, manifesturl). The document is well-formed for
 * every input. iOS rejects a title of one character, so the version is appended to it.
 * @throws AppError operation_not_allowed when the bundle identifier has fewer than two characters, which iOS cannot install.
 */
export function otaManifest(manifest: OtaManifest): string {
  const bundleIdentifier = xmlText(manifest.bundleIdentifier).trim();
  if (bundleIdentifier.length < 2) {
    throw new AppError('operation_not_allowed', {
      message:
        'The app has no valid bundle identifier, so iOS cannot install it from a link. Set one and upload the app again.',
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
 * The link that makes iOS fetch a manifest. The whole URL is percent-encoded (a `%20` in it becomes `%2520`). The link needs the empty
 * authority: iOS ignores it otherwise.
 */
export const itmsServicesUrl = (manifestUrl: string): string =>
  `itms-services://?action=download-manifest&url=${encodeURIComponent(manifestUrl)}`;

function titleOf({ title, version }: OtaManifest): string {
  const shown = xmlText(title).trim();
  if ([...shown].length > 1) return shown;
  return `${shown || 'App'} ${xmlText(version).trim()}`.trim().padEnd(2, '.');
}
