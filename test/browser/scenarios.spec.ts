import { type Browser } from 'playwright-core';
import { launchChromium, READERS, Visit } from './browser';
import { PAGE_SCENARIOS } from './page-scenarios';
import { serveScenarios } from './scenario-server';

/** Each state of each page, at every width, in both schemes (contract §9). */
describe('pages', () => {
  let browser: Browser;
  let server: Awaited<ReturnType<typeof serveScenarios>>;
  beforeAll(async () => {
    [browser, server] = await Promise.all([launchChromium(), serveScenarios()]);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  // red when: a colour loses its contrast, a label its field, a style is written inline, or a word cannot break.
  it.each(PAGE_SCENARIOS.map(({ name, userAgent }) => [name, userAgent] as const))('%s', async (name, userAgent) => {
    const visit = await Visit.start(browser, { reader: READERS[userAgent] });
    await visit.open(server.url(name));
    for (const [width, colorScheme] of [
      [1280, 'dark'],
      [768, 'light'],
      [390, 'dark'],
      [390, 'light'],
      [320, 'light'],
    ] as const) {
      await visit.look(width, colorScheme);
      expect([width, await visit.overflow()]).toEqual([width, 0]);
      if (width !== 390) expect(await visit.barriers()).toEqual([]);
      await visit.picture(`${name}-${width}-${colorScheme}`);
    }
    visit.expectQuiet();
    await visit.end();
  });
});
