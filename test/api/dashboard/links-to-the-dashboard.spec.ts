import { type Developer, randomEmail } from '../../support/actors/actors';
import { writeDashboard } from '../../support/app/built-dashboard';
import { TestApp } from '../../support/app/test-app';
import { rawRequest } from '../../support/load/raw-http';

const ACCEPT = '/api/v1/organizations/invitations/accept';

/** The pages behind mailed links lead into the dashboard, if it is served. */
describe('the pages of mailed links', () => {
  let app: TestApp;
  let without: TestApp;
  const built = writeDashboard();
  beforeAll(async () => {
    app = await TestApp.start({ dashboard: built.directory });
    without = await TestApp.start({
      beside: app,
      worker: false,
      dashboard: built.directory,
      environment: { DASHBOARD: 'false' },
    });
  });
  afterAll(async () => {
    await without?.stop();
    await app?.stop();
    built.remove();
  });

  /** The links of a page as `label → path`. */
  const linksOf = (html: string): Record<string, string> =>
    Object.fromEntries(
      [...html.matchAll(/<a class="button" href="([^"]+)">([^<]+)<\/a>/g)].map(([, href = '', label = '']) => [
        label,
        href.replaceAll('&amp;', '&'),
      ]),
    );
  const opened = async (path: string, { url } = app): Promise<Record<string, string>> =>
    linksOf((await rawRequest(url + path, { headers: { Accept: 'text/html' } })).text);
  const sent = async (
    path: string,
    fields: Record<string, string>,
    as?: Developer,
  ): Promise<Record<string, string>> => {
    const { text } = await rawRequest(app.url + path, {
      method: 'POST',
      headers: {
        Accept: 'text/html',
        'Content-Type': 'application/x-www-form-urlencoded',
        ...(as && { Authorization: `Bearer ${as.token}` }),
      },
      body: new URLSearchParams(fields).toString(),
    });
    return linksOf(text);
  };
  const tokenOf = ({ searchParams }: URL): string => searchParams.get('token') ?? '';

  // red when: accountNoticePage has no dashboardLinks, or the template shows them without a dashboard
  it('offer the login after a verification, unless the dashboard is not served', async () => {
    const { email } = await app.unverifiedDeveloper();
    const { pathname, search } = await app.mailbox.link(email);
    expect(await opened(pathname + search)).toEqual({ 'Log in': '/login' });
    expect(await opened(`${pathname}${search}&lang=de`)).toEqual({ Anmelden: '/login' });
    expect(await opened(pathname + search, without)).toEqual({});
  });

  it('offer the login after a new password and a new address', async () => {
    const ann = await app.developer();
    await app.anonymous.post('/api/v1/developers/reset_password_request').send({ email: ann.email }).expect(204);
    const reset = tokenOf(await app.mailbox.link(ann.email, 2));
    const fields = { token: reset, new_password: 'a sentence to remember' };
    expect(await sent('/api/v1/developers/reset_password', fields)).toEqual({ 'Log in': '/login' });

    const bob = await app.developer();
    const address = randomEmail();
    await bob.post('/developers/me/email', { new_email: address, password: bob.password }).expect(204);
    const change = await app.mailbox.link(address);
    expect(await sent(change.pathname, { token: tokenOf(change) })).toEqual({ 'Log in': '/login' });
  });

  // red when: the token is not encoded: an "&" in it would end the parameter
  it('lead from an invitation to its page in the dashboard, and without a dashboard accept it themselves', async () => {
    const [ann, bob] = [await app.developer(), await app.developer()];
    const { id } = await ann.createsOrganization('Acme');
    await ann.post(`/organizations/${id}/invitations`, { email: bob.email, roles: ['READ'] }).expect(201);
    const link = await app.mailbox.link(bob.email, 2);
    const locationOf = async (path: string): Promise<string | undefined> => {
      const response = await rawRequest(app.url + path, { headers: { Accept: 'text/html' } });
      expect(response.status).toBe(302);
      return response.headers.location;
    };
    expect(await locationOf(link.pathname + link.search)).toBe(`/join?token=${tokenOf(link)}`);
    expect(await locationOf(`${ACCEPT}?token=${encodeURIComponent('a&b="<x>')}`)).toBe(
      '/join?token=a%26b%3D%22%3Cx%3E',
    );
    expect(await opened(link.pathname + link.search, without)).toEqual({});

    expect(await sent(ACCEPT, { token: tokenOf(link) })).toEqual({ 'Log in': '/login' });
    expect(await sent(ACCEPT, { token: tokenOf(link) }, bob)).toEqual({ 'Open the dashboard': `/o/${id}` });
  });
});
