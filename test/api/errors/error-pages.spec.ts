import { verifiedDeveloper } from '../../support/actors/tenant';
import { TestApp } from '../../support/app/test-app';
import { rawRequest } from '../../support/load/raw-http';

interface Documented {
  readonly content?: Readonly<Record<string, unknown>>;
  readonly $ref?: string;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { responses: Record<string, Documented> }>>>>;
  readonly components: { readonly responses: Readonly<Record<string, Documented>> };
}

const BROWSER = 'text/html,application/xhtml+xml,*/*;q=0.8';
const HTML = 'text/html; charset=utf-8';
const JSON_TYPE = 'application/json; charset=utf-8';
const SOME_ID = '01890000-0000-7000-8000-00000000000a';

/** Routes that browsers open respond with HTML error pages; other clients get the JSON envelope. */
describe('an error response', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await TestApp.start();
  });
  afterAll(() => app.stop());

  const sendsForm = (path: string, form: string, token?: string) =>
    rawRequest(`${app.url}/api/v1${path}`, {
      method: 'POST',
      headers: {
        Accept: BROWSER,
        'Content-Type': 'application/x-www-form-urlencoded',
        ...(token && { Cookie: `dfdeveloper=${token}` }),
      },
      body: form,
    });

  // red when: ApiHtmlPage or AcceptsForm does not mark its route, or an error before the route is reached is not a page
  it('is an HTML page for a browser exactly on the routes that document one', async () => {
    const limited = await TestApp.start({ beside: app, worker: false, environment: { RATE_LIMIT_FACTOR: '0.0001' } });
    app.stopsWith(() => limited.stop());
    await rawRequest(`${limited.url}/api/v1/live`);
    const { paths, components } = (await app.anonymous.get('/api/v1/openapi.json').expect(200)).body as Document;
    // In parallel, because refusals of one address wait after a while.
    const refused = await Promise.all(
      Object.entries(paths).flatMap(([template, operations]) => {
        const path = template.replace(/\{\w+_id\}/g, SOME_ID).replace(/\{\w+\}/g, 'x');
        return Object.entries(operations).map(async ([method, { responses }]) => {
          const headers = { Accept: BROWSER };
          const answer = await rawRequest(limited.url + path, { method: method.toUpperCase(), headers });
          const documented = responses['429'];
          const { content } = components.responses[documented?.$ref?.split('/').at(-1) ?? ''] ?? documented ?? {};
          return { operation: `${method} ${template}`, answer, isPage: content?.['text/html'] !== undefined };
        });
      }),
    );
    const pages: string[] = [];
    for (const { operation, answer, isPage } of refused) {
      const type = isPage ? HTML : JSON_TYPE;
      expect([operation, answer.status, answer.headers['content-type']]).toEqual([operation, 429, type]);
      if (isPage) pages.push(operation);
    }
    expect(pages).toEqual(
      expect.arrayContaining([
        'get /api/v1/captcha',
        'get /api/v1/developers/{developer_id}/change_email',
        'post /api/v1/organizations/invitations/accept',
        'post /api/v1/developers/resend-verification',
        'get /download/{ticket}/{file_name}',
      ]),
    );
  });

  // red when: errorPage has no texts for this route
  it('of the invitation form says what to do first', async () => {
    const accept = '/organizations/invitations/accept';
    const stranger = await sendsForm(accept, 'token=x');
    expect([stranger.status, stranger.headers['content-type']]).toEqual([401, HTML]);
    expect(stranger.text).toContain('Log in first');
    const unverified = await sendsForm(accept, 'token=x', (await app.unverifiedDeveloper()).token);
    expect([unverified.status, unverified.headers['content-type']]).toEqual([403, HTML]);
    expect(unverified.text).toContain('Confirm your e-mail address first');
    const verified = await sendsForm(accept, 'token=x', (await verifiedDeveloper(app)).token);
    expect([verified.status, verified.headers['content-type']]).toEqual([400, HTML]);
  });

  it.each(['*/*', 'application/json', 'application/json, text/html'])(
    'is the JSON envelope for Accept: %s',
    async (accept) => {
      for (const path of [`/api/v1/developers/nobody/change_email`, '/api/v1/developers/nobody/verify_email']) {
        const answer = await rawRequest(app.url + path, { headers: { Accept: accept } });
        expect([answer.status, answer.headers['content-type']]).toEqual([404, JSON_TYPE]);
      }
    },
  );
});
