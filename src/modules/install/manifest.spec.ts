import fc from 'fast-check';
import plist from 'plist';
import { AppError } from '#kernel/errors/app-error';
import { LINE_FEED, readPlists, textBehind } from '../../../test/support/checks/xmllint';
import { itmsServicesUrl, type OtaManifest, otaManifest } from './manifest';

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
  // The parser accepts a bare ampersand, but iOS does not.
  expect(xml.replace(/&(amp|lt|gt|quot|#xD);/g, '')).not.toContain('&');
  const [item, ...rest] = (plist.parse(xml) as unknown as Parsed).items;
  expect(rest).toEqual([]);
  if (!item) throw new Error('no item');
  return item;
};

/** The characters that XML 1.0 can represent (production 2), without U+FFFD. */
const representable = (text: string): string =>
  [...text].filter((each) => /[\t\n\r\u0020-\ud7ff\ue000-\ufffc\u{10000}-\u{10ffff}]/u.test(each)).join('');

const MARKUP = `& < > " ' ]]> <![CDATA[ <!-- --> <? ?> <!DOCTYPE %plistObject; &amp; &lt; &nbsp; &#0; &#13; &#xD800;
  </string> </plist> <x/> <key>title</key><string>`.split(/\s+/);
/** Control characters, spaces, lone surrogates, noncharacters, bidi and joining characters, and ordinary letters. */
const UNUSUAL = [
  ...Array.from({ length: 0x21 }, (_, control) => control),
  ...[
    0x7f, 0x85, 0xa0, 0x2028, 0xfeff, 0xd800, 0xdbff, 0xdc00, 0xdfff, 0xfffd, 0xfffe, 0xffff, 0xfdd0, 0x1fffe, 0xe0001,
  ],
  ...[0x202e, 0x2067, 0x200f, 0x5e9, 0x644, 0x301, 0xfb01, 0x130, 0x200d, 0x1f680, 0x1d54f, 0x25, 0x30, 0x5c, 0x61],
].map((codePoint) => String.fromCodePoint(codePoint));
const hostile = fc.oneof(
  fc.string({ unit: fc.constantFrom(...MARKUP, ...UNUSUAL) }),
  fc.string({ unit: 'binary' }),
  fc.array(fc.integer({ max: 0xffff, min: 0 })).map((units) => String.fromCharCode(...units)),
);
const hostileManifest: fc.Arbitrary<OtaManifest> = fc.record({
  title: hostile,
  subtitle: fc.option(hostile),
  version: hostile,
  bundleIdentifier: hostile.map((name) => `com.${name}`),
  packageUrl: hostile.map((query) => `https://e.com/${query}`),
});

/** The number of keys and the texts that a device must read from a manifest. */
const expectedTexts = ({ title, subtitle, version, bundleIdentifier, packageUrl }: OtaManifest): string[] => {
  const name = representable(title).trim();
  const lengthened = `${name || 'App'} ${representable(version).trim()}`.trim().padEnd(2, '.');
  const shown = [
    [...name].length > 1 ? name : lengthened,
    representable(subtitle ?? '').trim(),
    representable(version),
    representable(bundleIdentifier).trim(),
    representable(packageUrl),
  ];
  return [shown[1] ? '11' : '10', ...shown.map((text) => text.replaceAll('\n', LINE_FEED))];
};
const PLACES = ['title', 'subtitle', 'bundle-version', 'bundle-identifier', 'url'].map(textBehind);

describe('otaManifest', () => {
  it('contains exactly the keys that current iOS reads', () => {
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

  it('contains images and subtitle only when they are given', () => {
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
  ])('turns the title %j into %j', (title, expected) => {
    expect(parsed({ ...SAMPLE, title }).metadata.title).toBe(expected);
  });

  it('has a title of two characters when name and version are too short', () => {
    expect(parsed({ ...SAMPLE, title: 'X', version: '' }).metadata.title).toBe('X.');
  });

  it.each(['', 'x', ' \u0000y '])('rejects the bundle identifier %j', (bundleIdentifier) => {
    expect(() => otaManifest({ ...SAMPLE, bundleIdentifier })).toThrow(AppError);
  });

  it('preserves a URL with a query', () => {
    const packageUrl = 'https://e.com/package.ipa?a=1&b=%20%26&c="<>\'';
    expect(parsed({ ...SAMPLE, packageUrl }).assets[0]?.url).toBe(packageUrl);
  });

  // red when: `xmlText` is not applied to a value, or keeps U+FFFD
  it("is valid by Apple's DTD and read correctly by libxml2 for hostile app names", async () => {
    const seed = Date.now();
    const manifests = fc.sample(hostileManifest, { seed, numRuns: 2_000 });
    const { complaints, texts } = await readPlists(manifests.map(otaManifest), ['count(//key)', ...PLACES]);
    expect({ seed, complaints: complaints.slice(0, 1_000) }).toEqual({ seed, complaints: '' });
    expect({ seed, texts }).toEqual({ seed, texts: manifests.map(expectedTexts) });
  });
});

describe('itmsServicesUrl', () => {
  it('percent-encodes the whole manifest URL after an empty authority', () => {
    expect(itmsServicesUrl('https://e.com/a%20b/manifest.plist?x=1&y=+')).toBe(
      'itms-services://?action=download-manifest&url=https%3A%2F%2Fe.com%2Fa%2520b%2Fmanifest.plist%3Fx%3D1%26y%3D%2B',
    );
  });

  it('decodes to the original URL', () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true }), (url) => {
        expect(new URL(itmsServicesUrl(url)).searchParams.get('url')).toBe(url);
      }),
    );
  });
});
