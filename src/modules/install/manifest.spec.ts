import fc from 'fast-check';
import plist from 'plist';
import { AppError } from '#kernel/errors/app-error';
import { LINE_FEED, readPlists, textBehind } from '../../../test/support/checks/xmllint';
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
  expect(xml.replace(/&(amp|lt|gt|quot|#xD);/g, '')).not.toContain('&');
  const [item, ...rest] = (plist.parse(xml) as unknown as Parsed).items;
  expect(rest).toEqual([]);
  if (!item) throw new Error('no item');
  return item;
};

/** All that XML 1.0 can hold (production 2), but for what stands for a character that was lost. */
const held = (text: string): string =>
  [...text].filter((each) => /[\t\n\r\u0020-\ud7ff\ue000-\ufffc\u{10000}-\u{10ffff}]/u.test(each)).join('');

const MARKUP = `& < > " ' ]]> <![CDATA[ <!-- --> <? ?> <!DOCTYPE %plistObject; &amp; &lt; &nbsp; &#0; &#13; &#xD800;
  </string> </plist> <x/> <key>title</key><string>`.split(/\s+/);
/** Controls, spaces, halves of pairs, what is no character, what changes directions, what joins, and ordinary letters. */
const ODD = [
  ...Array.from({ length: 0x21 }, (_, control) => control),
  ...[
    0x7f, 0x85, 0xa0, 0x2028, 0xfeff, 0xd800, 0xdbff, 0xdc00, 0xdfff, 0xfffd, 0xfffe, 0xffff, 0xfdd0, 0x1fffe, 0xe0001,
  ],
  ...[0x202e, 0x2067, 0x200f, 0x5e9, 0x644, 0x301, 0xfb01, 0x130, 0x200d, 0x1f680, 0x1d54f, 0x25, 0x30, 0x5c, 0x61],
].map((codePoint) => String.fromCodePoint(codePoint));
const hostile = fc.oneof(
  fc.string({ unit: fc.constantFrom(...MARKUP, ...ODD) }),
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

/** How many keys a device is meant to find, and the texts behind some. */
const meant = ({ title, subtitle, version, bundleIdentifier, packageUrl }: OtaManifest): string[] => {
  const name = held(title).trim();
  const lengthened = `${name || 'App'} ${held(version).trim()}`.trim().padEnd(2, '.');
  const shown = [
    [...name].length > 1 ? name : lengthened,
    held(subtitle ?? '').trim(),
    held(version),
    held(bundleIdentifier).trim(),
    held(packageUrl),
  ];
  return [shown[1] ? '11' : '10', ...shown.map((text) => text.replaceAll('\n', LINE_FEED))];
};
const PLACES = ['title', 'subtitle', 'bundle-version', 'bundle-identifier', 'url'].map(textBehind);

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

  // Reliability K7. red when: `xmlText` is left out of a value, or keeps what stands for a character that was lost
  it("is valid by Apple's grammar and read by libxml2 as meant, whatever an app calls itself", async () => {
    const seed = Date.now();
    const manifests = fc.sample(hostileManifest, { seed, numRuns: 2_000 });
    const { complaints, texts } = await readPlists(manifests.map(otaManifest), ['count(//key)', ...PLACES]);
    expect({ seed, complaints: complaints.slice(0, 1_000) }).toEqual({ seed, complaints: '' });
    expect({ seed, texts }).toEqual({ seed, texts: manifests.map(meant) });
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
