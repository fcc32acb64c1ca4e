import { type Browser } from 'playwright-core';
import { type ReachableApp } from '../support/app/reachable-app';
import { rawRequest } from '../support/load/raw-http';
import { until } from '../support/until';
import { startAppForBrowser } from './app-for-browser';
import { launchChromium, Visit } from './browser';

/** The routes that the page holds. */
const PATHS = `[...document.querySelectorAll('.opblock-summary-path')].map(({ dataset }) => dataset.path)`;

describe('the API documentation page', () => {
  let browser: Browser;
  let app: ReachableApp;
  beforeAll(async () => {
    [browser, app] = await Promise.all([launchChromium(), startAppForBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await app?.stop();
  });

  const policyOf = async (path: string): Promise<string> =>
    String((await rawRequest(app.url + path)).headers['content-security-policy']);

  // red when: the page has the content security policy of other routes, or `connect-src` is missing
  it.each(['/api/v1/docs', '/api/v1/docs/'])('lists the routes and sends requests at %s', async (path) => {
    const visit = await Visit.start(browser);
    await visit.open(app.address + path);
    const { page } = visit;
    const operation = page.locator('#operations-Health-Health_live, .opblock:has([data-path="/api/v1/live"])').first();
    const listed = new Set<string>();
    await page.locator('.opblock').first().waitFor();
    // The page holds only the routes that are near the visible part.
    await until(async () => {
      for (const path of await page.evaluate<string[]>(PATHS)) listed.add(path);
      await page.mouse.wheel(0, 600);
      return listed.size > 30 && (await operation.isVisible());
    });
    await operation.locator('.opblock-summary-control').click();
    await operation.locator('.try-out__btn').click();
    await operation.locator('.execute').click();
    const status = operation.locator('.live-responses-table .response-col_status').last();
    await status.waitFor();
    expect(await status.textContent()).toContain('200');
    expect(await operation.locator('.request-url').textContent()).toContain(`${app.address}/api/v1/live`);
    await visit.screenshot('api-docs');
    visit.expectNoProblems();
    await visit.end();
  });

  // red when: other routes have the relaxed policy
  it('has a relaxed content security policy that applies to no other route', async () => {
    expect(await policyOf('/api/v1/docs')).toBe(await policyOf('/api/v1/docs/swagger-ui-init.js'));
    expect(await policyOf('/api/v1/docs')).not.toMatch(/script-src[^;]*unsafe|default-src (?!'none')/);
    for (const path of ['/api/v1/live', '/api/v1/openapi.json', '/api/v1/docsy', '/api/v1/organizations'])
      expect([path, await policyOf(path)]).toEqual([path, "default-src 'none';frame-ancestors 'none'"]);
  });
});
