import { type Browser } from 'playwright-core';
import { launchChromium, READERS, Visit } from './browser';
import { PAGE_SCENARIOS } from './page-scenarios';
import { serveScenarios } from './scenario-server';

describe('the pages', () => {
  let browser: Browser;
  let server: Awaited<ReturnType<typeof serveScenarios>>;
  beforeAll(async () => {
    [browser, server] = await Promise.all([launchChromium(), serveScenarios()]);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  // red when: a contrast is too low, a field has no label, a style is inline, or a word does not wrap
  it.each(PAGE_SCENARIOS.map(({ name, userAgent }) => [name, userAgent] as const))(
    'fit every width and are accessible in both colour schemes: %s',
    async (name, userAgent) => {
      const visit = await Visit.start(browser, { reader: READERS[userAgent] });
      await visit.open(server.url(name));
      for (const trust of await visit.page.locator('.trust:visible').all()) await trust.locator('summary').click();
      for (const [width, colorScheme] of [
        [1280, 'dark'],
        [768, 'light'],
        [390, 'dark'],
        [390, 'light'],
        [320, 'light'],
      ] as const) {
        await visit.resize(width, colorScheme);
        expect([width, await visit.overflow()]).toEqual([width, 0]);
        if (width !== 390) expect(await visit.accessibilityIssues()).toEqual([]);
        await visit.screenshot(`${name}-${width}-${colorScheme}`);
      }
      visit.expectNoProblems();
      await visit.end();
    },
  );
});
