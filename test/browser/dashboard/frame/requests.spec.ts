import { type Request } from 'playwright-core';
import {
  type BuildJson,
  type ChannelJson,
  type Developer,
  type OrganizationRef,
  type ProjectRef,
  scope,
} from '../../../support/actors/actors';
import { apk } from '../../../support/artifacts/valid-artifacts';
import { until } from '../../../support/until';
import { type Visit } from '../../browser';
import { Desk } from '../desk';

const MAX_REQUESTS = 6;
/** After this time without a request the screen is complete: a request that depends on a response begins sooner. */
const QUIET_MS = 500;

const ID = /[0-9a-f]{8}-[0-9a-f-]{27}/g;

/** The stream of changes is open all the time. */
const isCounted = (request: Request): boolean => /^\/api\/v1\/(?!events)/.test(new URL(request.url()).pathname);

const routeOf = (request: Request): string =>
  `${request.method()} ${new URL(request.url()).pathname.replace('/api/v1', '').replace(ID, '{id}')}`;

/** The requests of the frame: the developer, and the projects of the navigation with their summaries. */
const FRAME = ['GET /login/session', 'GET /projects'];

/** The additional requests of the screens of an organization. */
const OF_ORGANIZATION: Readonly<Record<string, readonly string[]>> = {
  '': ['GET /developers/me/invitations', 'GET /organizations/{id}/billing', 'GET /organizations/{id}/invitations'],
  '/members': ['GET /organizations/{id}/invitations', 'GET /organizations/{id}/members'],
  '/tokens': ['GET /organizations/{id}/project-access-tokens'],
  '/audit': ['GET /audit/organization/{id}', 'GET /audit/organization/{id}/facets', 'GET /organizations/{id}/members'],
  '/billing': ['GET /organizations/{id}/billing', 'GET /organizations/{id}/usage', 'GET /service'],
  '/storage': ['GET /organizations/{id}/byosa', 'GET /service'],
  '/settings': [
    'GET /organizations/{id}/export',
    'GET /organizations/{id}/members',
    'GET /organizations/{id}/quotas',
    'GET /webhooks',
  ],
};

/** The additional requests of the screens of a project. */
const OF_PROJECT: Readonly<Record<string, readonly string[]>> = {
  '': [
    'GET /channels',
    'GET /projects/{id}/adoption',
    'GET /projects/{id}/downloads/daily',
    'GET /projects/{id}/releases',
  ],
  '/builds': ['GET /builds', 'GET /builds/facets'],
  '/builds/BUILD': ['GET /builds', 'GET /builds/{id}', 'GET /builds/{id}/adoption'],
  '/builds/BUILD/downloads': ['GET /builds/{id}', 'GET /builds/{id}/downloads'],
  '/builds/BUILD/links': ['GET /builds/{id}', 'GET /links'],
  '/compare?from=OLDER&to=BUILD': ['GET /builds', 'GET /builds/{id}', 'GET /builds/{id}', 'GET /builds/{id}/diff'],
  '/channels': ['GET /channels'],
  '/channels/CHANNEL': ['GET /channels/{id}', 'GET /projects/{id}/adoption', 'GET /releases', 'GET /testers'],
  '/channels/CHANNEL/links': ['GET /channels/{id}', 'GET /links'],
  '/testers': ['GET /testers'],
  '/testers/TESTER': ['GET /testers/{id}', 'GET /testers/{id}/downloads'],
  '/testers/import': ['GET /projects/{id}/adoption'],
  '/tokens': ['GET /project-access-tokens', 'GET /service'],
  '/access': ['GET /organizations/{id}/members', 'GET /projects/{id}/members'],
  '/settings': ['GET /projects/{id}/quotas', 'GET /projects/{id}/retention', 'GET /service', 'GET /webhooks'],
  '/settings/retention': ['GET /projects/{id}/retention'],
  '/trash': ['GET /builds'],
};

/** The requests of the screens outside of organizations. */
const OF_ACCOUNT: Readonly<Record<string, readonly string[]>> = {
  '/account': FRAME,
  '/account/security': ['GET /developers/me/sessions', ...FRAME],
  '/account/tokens': ['GET /pats', ...FRAME],
  '/account/data': ['GET /developers/me/export', ...FRAME],
  '/welcome': ['GET /developers/me/invitations', 'GET /login/session'],
  '/device': FRAME,
};

describe('a screen of the dashboard that is loaded into an empty page', () => {
  let desk: Desk;
  let ann: Developer;
  let organization: OrganizationRef;
  let project: ProjectRef;
  let older: BuildJson;
  let build: BuildJson;
  let channel: ChannelJson;
  let tester: { readonly id: string };

  /** Two builds that were promoted, mailed and downloaded, and channels in several projects. */
  beforeAll(async () => {
    desk = await Desk.start();
    ann = await desk.app.developer();
    organization = await ann.createsOrganization('Acme');
    await ann.changesPlan(organization, 'business');
    for (const name of ['Kite', 'Balloon', 'Rocket']) {
      project = await ann.createsProject(organization, name);
      channel = await ann.createsChannel(project, 'Beta');
    }
    await ann.createsChannel(project, 'Store');
    tester = (await ann.post(`/testers?${scope(project)}`, { email: 'tess@example.com' }).expect(201))
      .body as typeof tester;
    await ann.request('put', `/testers/${tester.id}/subscriptions/${channel.id}?${scope(project)}`).expect(200);
    older = await ann.uploads(project, { bytes: apk({ versionName: '2.0.9' }), fileName: 'rocket.apk' });
    build = await ann.uploads(project, { bytes: apk({ versionName: '2.1.0' }), fileName: 'rocket.apk' });
    await ann.promotes(project, channel, older);
    await ann.promotes(project, channel, build);
    const { body } = await ann.post(`/builds/${build.id}/download-url?${scope(project)}`).expect(200);
    expect((await fetch((body as { url: string }).url)).status).toBe(200);
  });
  afterEach(() => desk.endVisits());
  afterAll(() => desk?.stop());

  const inProject = (screen: string): string =>
    `/o/${organization.id}/p/${project.id}${screen}`
      .replace('BUILD', build.id)
      .replace('OLDER', older.id)
      .replace('CHANNEL', channel.id)
      .replace('TESTER', tester.id);

  const visitOfAnn = async (): Promise<Visit> => {
    const visit = await desk.visitor();
    await desk.logIn(visit, ann);
    // The stream of changes does not open: it would have the changes before this test, and the screens would request what these affect.
    await visit.page.route('**/api/v1/events?*', () => undefined);
    return visit;
  };

  /** The page of a screen. */
  const documentOf = async ({ page }: Visit, address: string): Promise<string> => {
    const response = await page.context().request.get(desk.app.address + address, { headers: { Accept: 'text/html' } });
    return response.text();
  };

  /** The requests of a screen. Data of more than five seconds ago is requested again, so a screen that was as slow is loaded again. */
  const requestsOf = async (visit: Visit, address: string): Promise<readonly string[]> => {
    for (let left = 5; ; left -= 1) {
      const started = performance.now();
      const sent = await requestsOfOneLoad(visit, address);
      if (left === 0 || performance.now() - started < 4_000) return sent;
    }
  };

  /** The requests of a screen until it shows everything and sends no more. */
  const requestsOfOneLoad = async (visit: Visit, address: string): Promise<readonly string[]> => {
    const { page } = visit;
    const sent: string[] = [];
    const open = new Set<Request>();
    let changedAt = performance.now();
    const begin = (request: Request): void => {
      if (!isCounted(request)) return;
      sent.push(routeOf(request));
      open.add(request);
    };
    const end = (request: Request): void => {
      if (open.delete(request)) changedAt = performance.now();
    };
    page.on('request', begin).on('requestfinished', end).on('requestfailed', end);
    await desk.go(visit, address);
    const isBusy = async (): Promise<boolean> => (await page.locator('[aria-busy=true]').count()) > 0;
    await until(async () => open.size === 0 && performance.now() - changedAt > QUIET_MS && !(await isBusy()), {
      everyMs: 50,
    });
    page.off('request', begin).off('requestfinished', end).off('requestfailed', end);
    return sent.sort();
  };

  const SCREENS: readonly [
    string,
    Readonly<Record<string, readonly string[]>>,
    (screen: string) => string,
    readonly string[],
  ][] = [
    ['of an organization', OF_ORGANIZATION, (screen) => `/o/${organization.id}${screen}`, FRAME],
    ['of a project', OF_PROJECT, inProject, FRAME],
    ['of the account', OF_ACCOUNT, (screen) => screen, []],
  ];

  // red when: a screen requests more than before, or data that another response has; or when the page preloads another address
  it.each(SCREENS)(
    'sends the requests that are listed here, at most six: screens %s',
    async (_, screens, addressOf, always) => {
      const visit = await visitOfAnn();
      const sent: Record<string, readonly string[]> = {};
      for (const screen of Object.keys(screens)) sent[screen] = await requestsOf(visit, addressOf(screen));
      const expected = Object.entries(screens).map(([screen, more]) => [screen, [...always, ...more].sort()] as const);
      expect(sent).toEqual(Object.fromEntries(expected));
      for (const [screen, { length }] of expected)
        expect({ screen, fits: length <= MAX_REQUESTS }).toEqual({ screen, fits: true });
    },
  );

  // red when: the declaration of a screen lacks an area of its texts. Its parts would then appear one after the other
  it.each(SCREENS)('needs only the files that its page names: screens %s', async (_, screens, addressOf) => {
    const visit = await visitOfAnn();
    const { page } = visit;
    const all = Object.keys(screens);
    const shown: string[] = [];
    for (const screen of all) {
      const html = await documentOf(visit, addressOf(screen));
      // All other files never arrive.
      await page.route('**/static/*.js', (route, request) =>
        html.includes(`"${new URL(request.url()).pathname}"`) ? route.continue() : undefined,
      );
      await requestsOf(visit, addressOf(screen));
      if (await page.getByRole('heading', { level: 1 }).isVisible()) shown.push(screen);
      await page.unrouteAll({ behavior: 'ignoreErrors' });
    }
    expect(shown).toEqual(all);
  });

  it("for visitors requests the session and the service's settings", async () => {
    const visit = await desk.visitor();
    expect(await requestsOf(visit, '/login')).toEqual(['GET /login/session', 'GET /service']);
  });
});
