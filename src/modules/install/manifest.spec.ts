import fc from 'fast-check';
import plist from 'plist';
import { AppError } from '#kernel/errors/app-error';
import { itmsServicesUrl, otaManifest, type OtaManifest } from './manifest';

interface Parsed {
  items: { assets: { kind: string; url: string }[]; metadata: Record<string, string> }[];
}

const SAMPLE: OtaManifest = {
  packageUrl: 'https://get.example.com/t/agd_ticket/package.ipa',
  bundleIdentifier: 'com.example.harbour',
  version: '2.4.0',
  title: 'Harbour',
};

const parsed = (manifest: OtaManifest) => {
  const xml = otaManifest(manifest);
  // The parser forgives a bare ampersand; iOS does not.
  expect(xml.replace(/&(amp|lt|gt|quot|apos|#13);/g, '')).not.toContain('&');
  const [item, ...rest] = (plist.parse(xml) as unknown as Parsed).items;
  expect(rest).toEqual([]);
  if (!item) throw new Error('no item');
  return item;
};

/** What XML 1.0 can hold; the rest is dropped. */
const xmlCharacters = (text: string) =>
  text.toWellFormed().replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffd-\uffff]/gu, '');

const hostile = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom(
      '&',
      '&lt;',
      '&amp;',
      '<',
      '>',
      '"',
      "'",
      ']]>',
      '<!--',
      '\u0000',
      '\ud800',
      '\r',
      '\n',
      '🚀',
      'a',
      '%',
    ),
  }),
);

describe('otaManifest', () => {
  it('says what iOS wants to know, and nothing it no longer does', () => {
    expect(parsed(SAMPLE)).toEqual({
      assets: [{ kind: 'software-package', url: SAMPLE.packageUrl }],
      metadata: {
        'bundle-identifier': 'com.example.harbour',
        'bundle-version': '2.4.0',
        kind: 'software',
        'platform-identifier': 'com.apple.platform.iphoneos',
        title: 'Harbour',
      },
    });
  });

  it('names images only when there are some', () => {
    const images = { displayImageUrl: 'https://e.com/57.png', fullSizeImageUrl: 'https://e.com/512.png' };
    expect(parsed({ ...SAMPLE, ...images, subtitle: 'Tidewater' })).toMatchObject({
      assets: [
        { kind: 'software-package' },
        { kind: 'display-image', url: 'https://e.com/57.png' },
        { kind: 'full-size-image', url: 'https://e.com/512.png' },
      ],
      metadata: { subtitle: 'Tidewater' },
    });
    expect(parsed({ ...SAMPLE, displayImageUrl: null, fullSizeImageUrl: '' }).assets).toHaveLength(1);
  });

  it.each([
    ['A & B <"β"> 🚀', 'A & B <"β"> 🚀'],
    ['X', 'X 2.4.0'],
    ['🚀', '🚀 2.4.0'],
    ['', 'App 2.4.0'],
    ['\u0000\u0001', 'App 2.4.0'],
  ])('titles %j as %j', (title, expected) => {
    expect(parsed({ ...SAMPLE, title }).metadata.title).toBe(expected);
  });

  it('has a title of two characters even with nothing to go by', () => {
    expect(parsed({ ...SAMPLE, title: 'X', version: '' }).metadata.title).toBe('X.');
  });

  it.each(['', 'x', ' \u0000y '])('refuses the bundle identifier %j', (bundleIdentifier) => {
    expect(() => otaManifest({ ...SAMPLE, bundleIdentifier })).toThrow(AppError);
  });

  it('keeps a URL with a query whole', () => {
    const packageUrl = 'https://e.com/package.ipa?a=1&b=%20%26&c="<>\'';
    expect(parsed({ ...SAMPLE, packageUrl }).assets[0]?.url).toBe(packageUrl);
  });

  it('is read back exactly as meant, whatever an app calls itself', () => {
    fc.assert(
      fc.property(hostile, hostile, hostile, hostile, (title, version, name, url) => {
        const bundleIdentifier = `com.${name}`;
        const manifest = { ...SAMPLE, title, version, bundleIdentifier, packageUrl: `https://e.com/${url}` };
        const { assets, metadata } = parsed(manifest);
        expect(Object.keys(metadata).sort()).toEqual(
          ['bundle-identifier', 'bundle-version', 'kind', 'platform-identifier', 'title'].sort(),
        );
        expect(assets).toEqual([{ kind: 'software-package', url: xmlCharacters(manifest.packageUrl) }]);
        expect(metadata['bundle-version'] ?? '').toBe(xmlCharacters(version));
        expect(metadata['bundle-identifier']).toBe(xmlCharacters(bundleIdentifier).trim());
        expect(metadata.title?.length).toBeGreaterThan(1);
      }),
      { numRuns: 500 },
    );
  });
});

describe('itmsServicesUrl', () => {
  it('encodes the manifest URL as a whole, behind an empty authority', () => {
    expect(itmsServicesUrl('https://e.com/a%20b/manifest.plist?x=1&y=+')).toBe(
      'itms-services://?action=download-manifest&url=https%3A%2F%2Fe.com%2Fa%2520b%2Fmanifest.plist%3Fx%3D1%26y%3D%2B',
    );
  });

  it('decodes to the exact URL', () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true }), (url) => {
        expect(new URL(itmsServicesUrl(url)).searchParams.get('url')).toBe(url);
      }),
    );
  });
});
