import { accessSync } from 'node:fs';
import path from 'node:path';
import { type Browser, type Page } from 'playwright-core';
import { type Developer } from '../../support/actors/actors';
import { type ReachableApp } from '../../support/app/reachable-app';
import { startAppForBrowser } from '../app-for-browser';
import { launchChromium, type Reader, READERS, Visit } from '../browser';

export interface DeskOptions {
  readonly reader?: Reader;
  readonly colorScheme?: 'light' | 'dark';
  readonly language?: 'en' | 'de';
}

/** A phone with a touch screen. */
export const PHONE: Reader = READERS.android;

/** The service with its dashboard, and a Chromium in which developers use it. */
export class Desk {
  private readonly visits: Visit[] = [];

  private constructor(
    readonly browser: Browser,
    readonly app: ReachableApp,
  ) {}

  /** @param host the name of the machine in addresses. Only the browser knows it: log in by the form under another name. */
  static async start(environment: Readonly<Record<string, string>> = {}, host = 'localhost'): Promise<Desk> {
    try {
      accessSync(path.resolve(__dirname, '../../../dist/dashboard/index.html'));
    } catch {
      throw new Error('The dashboard is not built. Run "npm run build" first.');
    }
    const [browser, app] = await Promise.all([launchChromium(host), startAppForBrowser(environment, host)]);
    return new Desk(browser, app);
  }

  async stop(): Promise<void> {
    await this?.browser.close();
    await this?.app.stop();
  }

  /** A browser profile of its own, without a session. */
  async visitor({ language = 'en', ...options }: DeskOptions = {}): Promise<Visit> {
    const visit = await Visit.start(this.browser, options);
    await visit.page.context().addCookies([{ name: 'agate_lang', value: language, url: this.app.address }]);
    this.visits.push(visit);
    return visit;
  }

  /** A browser profile with a session of the developer, at a path of the dashboard whose heading is on the screen. */
  async open(developer: Developer, address: string, options: DeskOptions = {}): Promise<Visit> {
    const visit = await this.visitor(options);
    await this.logIn(visit, developer);
    await this.go(visit, address);
    return visit;
  }

  /** Gives the profile of the visit a session, without the form. */
  async logIn(visit: Visit, { email, password }: Developer): Promise<void> {
    const response = await visit.page
      .context()
      .request.post(`${this.app.address}/api/v1/login/email`, { data: { email, password } });
    expect(response.status()).toBe(200);
  }

  async go(visit: Visit, address: string): Promise<void> {
    await visit.open(`${this.app.address}${address}`);
    await visit.page.getByRole('heading', { level: 1 }).waitFor();
  }

  /** Ends all visits of a test, and expects that none of them reported a problem. */
  async endVisits(): Promise<void> {
    const visits = this.visits.splice(0);
    await Promise.all(visits.map((visit) => visit.end()));
    for (const visit of visits) visit.expectNoProblems();
  }

  /** Expects no finding of axe and no horizontal overflow, in both themes, on a desktop and on a phone. */
  async expectAccessible(visit: Visit, name: string): Promise<void> {
    await visit.expectAccessible(`dashboard-${name}`);
    await visit.resize(1280, 'light');
  }
}

/** The part of the page that screen readers know by this role and name. */
export const table = (page: Page, name: string) => page.getByRole('table', { name, exact: true });
