import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type Page } from 'playwright-core';
import { until } from '../../../support/until';
import { Desk } from '../desk';

/** The built file of each source. */
const MANIFEST = JSON.parse(
  readFileSync(path.resolve(__dirname, '../../../../dist/dashboard/.vite/manifest.json'), 'utf8'),
) as Readonly<Record<string, { readonly file: string }>>;

/** The page and files that the service sends, as Chromium handles them. */
describe('the served dashboard', () => {
  let desk: Desk;
  beforeAll(async () => {
    desk = await Desk.start();
  });
  // Expects that the page violates no policy and that Chromium knows every feature of Permissions-Policy.
  afterEach(() => desk.endVisits());
  afterAll(() => desk?.stop());

  const evaluate = <T>(page: Page, expression: string): Promise<T> => page.evaluate<T>(expression);

  it('opens directly at a deep link, also after a login', async () => {
    const visit = await desk.visitor();
    await desk.go(visit, '/account/security?tab=codes');
    const { pathname, searchParams } = new URL(visit.page.url());
    expect([pathname, searchParams.get('next')]).toEqual(['/login', '/account/security?tab=codes']);
  });

  // red when: the cookie of the theme is not written into the page: the first paint then has the colours of the system
  it.each([
    ['dark', 'light'],
    ['light', 'dark'],
  ] as const)('is %s from its first paint when this was chosen on a %s system', async (theme, colorScheme) => {
    const visit = await desk.visitor({ colorScheme });
    const { page } = visit;
    await page.context().addCookies([{ name: 'agate_theme', value: theme, url: desk.app.address }]);
    await page.route('**/*.js', (route) => route.abort());
    await page.goto(`${desk.app.address}/login`);
    const [lightness] = await evaluate<number[]>(
      page,
      `(getComputedStyle(document.body).backgroundColor.match(/[\\d.]+/g) ?? []).map(Number)`,
    );
    expect(await evaluate(page, `getComputedStyle(document.documentElement).colorScheme`)).toBe(theme);
    expect(lightness! > 128).toBe(theme === 'light');
    // The scripts were held back by the test.
    visit.problems.length = 0;
  });

  // red when: the language's texts are not preloaded, or the other language is loaded too
  it.each(['en', 'de'] as const)('loads only the texts of the chosen language, %s', async (language) => {
    const visit = await desk.visitor({ language });
    const loaded: string[] = [];
    visit.page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
    await desk.go(visit, '/login');
    expect(await evaluate(visit.page, 'document.documentElement.lang')).toBe(language);
    const textsOf = (one: string): string => `/${MANIFEST[`src/words/${one}/every-screen.ts`]!.file}`;
    expect(loaded.filter((each) => [textsOf('en'), textsOf('de')].includes(each))).toEqual([textsOf(language)]);
  });

  // red when: the palette or its texts are requested only when its key is pressed
  it('has loaded the palette before its key is pressed', async () => {
    const { page } = await desk.open(await desk.app.developer(), '/account');
    const palette = ['src/frame/palette/palette.tsx', 'src/words/en/palette.ts'].map((each) => MANIFEST[each]!.file);
    const loaded = (): Promise<string[]> =>
      evaluate(
        page,
        `performance.getEntriesByType('resource').map(({ name }) => name.slice(location.origin.length + 1))`,
      );
    await until(async () => (await loaded()).filter((file) => palette.includes(file)).length === 2, { seconds: 30 });
    const before = await loaded();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search or jump to', exact: true }).waitFor();
    expect((await loaded()).slice(before.length).filter((file) => file.endsWith('.js'))).toEqual([]);
  });

  it('comes with the licences of the libraries in its scripts', async () => {
    const visit = await desk.visitor();
    await desk.go(visit, '/login');
    const address = (await visit.page.locator('link[rel=license]').getAttribute('href')) ?? '';
    const licenses = await (await fetch(new URL(address, desk.app.address))).text();
    const libraries = ['react', 'react-dom', '@tanstack/react-query', '@tanstack/query-core', '@tanstack/react-router'];
    for (const library of [...libraries, '@tanstack/router-core', 'uqr']) expect(licenses).toContain(`\n${library} `);
    expect(licenses).not.toMatch(/^vite /m);
    expect(licenses).toContain('Permission is hereby granted');
  });

  it('sends scripts and styles compressed, and lets browsers keep them', async () => {
    const visit = await desk.visitor();
    const responses: Record<string, string>[] = [];
    visit.page.on('response', (response) => {
      if (/\/static\/.*\.(js|css)$/.test(response.url())) responses.push(response.headers());
    });
    await desk.go(visit, '/login');
    expect(responses.length).toBeGreaterThan(2);
    expect(new Set(responses.map((headers) => headers['cache-control']))).toEqual(
      new Set(['public, max-age=31536000, immutable']),
    );
    const plain = responses.filter((headers) => headers['content-encoding'] !== 'br');
    // The build does not compress files that would hardly become smaller.
    expect(plain.filter((headers) => Number(headers['content-length']) >= 512)).toEqual([]);
    expect(plain.length).toBeLessThan(responses.length);
  });
});
