import { PageAssets } from './page-assets';

const assets = new PageAssets();

describe('PageAssets', () => {
  it('names every file by the hash of its content, so that browsers cache it without revalidation', () => {
    expect(assets.list().map(({ path, contentType }) => [path, contentType])).toEqual([
      [expect.stringMatching(/^\/assets\/logo\.[0-9a-f]{16}\.svg$/), 'image/svg+xml; charset=utf-8'],
      [expect.stringMatching(/^\/assets\/slice\.[0-9a-f]{16}\.svg$/), 'image/svg+xml; charset=utf-8'],
      [expect.stringMatching(/^\/assets\/page\.[0-9a-f]{16}\.css$/), 'text/css; charset=utf-8'],
      [expect.stringMatching(/^\/assets\/page\.[0-9a-f]{16}\.js$/), 'text/javascript; charset=utf-8'],
      [expect.stringMatching(/^\/assets\/captcha\.[0-9a-f]{16}\.js$/), 'text/javascript; charset=utf-8'],
    ]);
    for (const { headers, contentType } of assets.list()) {
      expect(headers).toMatchObject({
        'Content-Type': contentType,
        'Cache-Control': 'public, max-age=31536000, immutable',
        'X-Content-Type-Options': 'nosniff',
      });
    }
  });

  it('finds only the paths that it serves', () => {
    for (const asset of assets.list()) expect(assets.find(asset.path)).toBe(asset);
    for (const path of ['/assets/page.css', '/assets/../page.css', '/assets/', '', '__proto__']) {
      expect(assets.find(path)).toBeNull();
    }
  });

  it('serves every file that the style sheet refers to', () => {
    const css = assets.find(assets.href('page.css'))?.body.toString() ?? '';
    const urls = [...css.matchAll(/url\(([^)]*)\)/g)].map(([, url]) => url);
    expect(urls).toEqual([assets.href('slice.svg')]);
    expect(css).not.toMatch(/@import|https?:/);
    expect(css.length).toBeLessThan(14_000);
  });

  it('serves pictures without style, script or links', () => {
    for (const name of ['logo.svg', 'slice.svg'] as const) {
      expect(assets.find(assets.href(name))?.body.toString()).not.toMatch(/style|script|href|on\w+=/);
    }
  });
});

describe('the colours of the style sheet', () => {
  const css = assets.find(assets.href('page.css'))?.body.toString() ?? '';
  const [light, dark] = [...css.matchAll(/:root \{([^}]*)\}/g)].map(
    ([, block = '']) =>
      new Map([...block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name = '', hex = '']) => [name, hex])),
  );

  const luminance = (hex: string) => {
    const [r = 0, g = 0, b = 0] = [1, 3, 5]
      .map((at) => parseInt(hex.slice(at, at + 2), 16) / 255)
      .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (a: string, b: string) => {
    const [dim = 0, bright = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
    return (bright + 0.05) / (dim + 0.05);
  };

  // WCAG requires 4.5:1 for text (1.4.3) and 3:1 for the edges of controls (1.4.11).
  const PAIRS: readonly (readonly [string, string, number])[] = [
    ...['ground', 'sheet', 'sunk'].flatMap((ground) =>
      [['ink', 4.5] as const, ['soft', 4.5] as const, ['accent', 4.5] as const, ['edge', 3] as const].map(
        ([ink, least]) => [ink, ground, least] as const,
      ),
    ),
    ['on-accent', 'accent', 4.5],
    ['on-accent', 'accent-deep', 4.5],
    ['accent-deep', 'sheet', 4.5],
    ['warning-ink', 'warning-ground', 4.5],
    ['problem-ink', 'problem-ground', 4.5],
    ['problem-ink', 'sheet', 4.5],
    ['success-ink', 'success-ground', 4.5],
  ];

  describe.each([
    ['light', light],
    ['dark', dark],
  ])('in the %s scheme', (_scheme, colours) => {
    it.each(PAIRS)('give %s on %s a contrast of %d:1', (ink, ground, least) => {
      expect(contrast(colours?.get(ink) ?? '', colours?.get(ground) ?? '')).toBeGreaterThanOrEqual(least);
    });
  });
});
