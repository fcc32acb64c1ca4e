import { Bearer, type Developer, randomEmail } from '../../../support/actors/actors';
import { TestApp } from '../../../support/app/test-app';
import { rawRequest, type RawResponse } from '../../../support/load/raw-http';

interface Pair {
  readonly token: string;
  readonly refresh_token: string;
}

interface Session {
  readonly id: string;
  readonly current: boolean;
  readonly address: string | null;
  readonly user_agent: string | null;
  readonly last_used_at: string | null;
}

describe('the sessions of a developer', () => {
  let app: TestApp;
  let ann: Developer;
  beforeAll(async () => {
    app = await TestApp.start({ environment: { TRUST_PROXY: '127.0.0.1' } });
  });
  afterAll(() => app.stop());
  beforeEach(async () => {
    ann = await app.developer();
  });

  const post = (path: string, body: object, headers: Record<string, string> = {}): Promise<RawResponse> =>
    rawRequest(`${app.url}/api/v1${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const logsIn = async (address = '127.0.0.1', headers: Record<string, string> = {}): Promise<Pair> => {
    const body = { email: ann.email, password: ann.password };
    return JSON.parse((await post('/login/email', body, { 'X-Forwarded-For': address, ...headers })).text) as Pair;
  };
  const sessionsOf = async (bearer: Bearer): Promise<Session[]> =>
    ((await bearer.get('/developers/me/sessions').expect(200)).body as { items: Session[] }).items;
  const refreshes = async ({ refresh_token }: Pair): Promise<number> =>
    (await post('/login/refresh', { refresh_token })).status;
  const eventsOf = async (type: string): Promise<number> =>
    (await app.sql(`SELECT 1 FROM audit_event WHERE type = $1 AND payload->>'developer_id' = $2`, [type, ann.id]))
      .length;

  it('are listed newest first, with their network and program, and only to their owner', async () => {
    const pair = await logsIn('203.0.113.7', { 'User-Agent': 'agate-script/1.0' });
    const browser = new Bearer(app.url, pair.token);
    const [newest, oldest] = await sessionsOf(browser);
    expect(newest).toMatchObject({
      current: true,
      address: '203.0.113.7',
      user_agent: 'agate-script/1.0',
      last_used_at: null,
    });
    expect(oldest).toMatchObject({ current: false, address: '127.0.0.1' });
    await refreshes(pair);
    expect((await sessionsOf(ann))[0]).toMatchObject({ current: false, last_used_at: expect.any(String) as string });
    const bob = await app.developer();
    await bob.delete(`/developers/me/sessions/${newest!.id}`).expect(404);
    expect(await sessionsOf(bob)).toHaveLength(1);
  });

  // red when: the state of the session is not read with each access token
  it('end one by one, immediately', async () => {
    const pair = await logsIn();
    const other = new Bearer(app.url, pair.token);
    const [{ id } = { id: '' }] = await sessionsOf(ann);
    await ann.delete(`/developers/me/sessions/${id}`).expect(204);
    await other.get('/developers/me').expect(401);
    expect(await refreshes(pair)).toBe(401);
    expect(await sessionsOf(ann)).toMatchObject([{ current: true }]);
    await ann.delete(`/developers/me/sessions/${id}`).expect(404);
    expect(await eventsOf('session.ended')).toBe(1);
  });

  it('all end except the current one', async () => {
    const others = [await logsIn(), await logsIn()];
    await ann.delete('/developers/me/sessions').expect(204);
    for (const pair of others) {
      await new Bearer(app.url, pair.token).get('/developers/me').expect(401);
      expect(await refreshes(pair)).toBe(401);
    }
    expect(await sessionsOf(ann)).toMatchObject([{ current: true }]);
    expect(await refreshes({ token: '', refresh_token: ann.refreshToken })).toBe(200);
    expect(await eventsOf('session.others_ended')).toBe(1);
  });

  it('are not listed after they have ended by a logout or without a refresh', async () => {
    await logsIn();
    await app.clock.advance({ days: 31 });
    const fresh = new Bearer(app.url, (await logsIn()).token);
    expect(await sessionsOf(fresh)).toHaveLength(1);
    await fresh.post('/login/logout').expect(204);
    expect(await sessionsOf(new Bearer(app.url, (await logsIn()).token))).toHaveLength(1);
  });

  // red when: a reuse revokes the refresh tokens alone
  it('end with their access token when a refresh token is used twice', async () => {
    const first = await logsIn();
    const second = JSON.parse((await post('/login/refresh', { refresh_token: first.refresh_token })).text) as Pair;
    await app.clock.advance({ seconds: 11 });
    await new Bearer(app.url, second.token).get('/developers/me').expect(200);
    expect(await refreshes(first)).toBe(401);
    await new Bearer(app.url, second.token).get('/developers/me').expect(401);
    // Another session of the developer is not affected.
    await new Bearer(app.url, (await logsIn()).token).get('/developers/me').expect(200);
  });

  describe('and a logout without an access token', () => {
    const logsOut = (body: object, cookies?: string): Promise<RawResponse> =>
      post('/login/logout', body, { ...(cookies && { Cookie: cookies }) });

    // red when: the route accepts only an access JWT
    it('end by the refresh token in the body or the cookie', async () => {
      const [inBody, inCookie] = [await logsIn(), await logsIn()];
      const out = await logsOut({ refresh_token: inBody.refresh_token });
      expect(out.status).toBe(204);
      expect(String(out.headers['set-cookie'])).toContain('dfdeveloper_refresh=;');
      // A logout ends all sessions.
      expect(await refreshes(inCookie)).toBe(401);
      const again = await logsIn();
      const expired = `dfdeveloper=${inBody.token}; dfdeveloper_refresh=${again.refresh_token}`;
      expect((await logsOut({}, expired)).status).toBe(204);
      await new Bearer(app.url, again.token).get('/developers/me').expect(401);
      expect(await eventsOf('session.logged_out')).toBe(2);
    });

    // red when: a used token logs out, so that an old stolen token ends its owner's sessions
    it('do not end by a used, malformed or missing refresh token, or from another site', async () => {
      const first = await logsIn();
      const second = JSON.parse((await post('/login/refresh', { refresh_token: first.refresh_token })).text) as Pair;
      for (const body of [{ refresh_token: first.refresh_token }, { refresh_token: 'ag_ref_x' }, {}])
        expect((await logsOut(body)).status).toBe(401);
      const headers = { 'Sec-Fetch-Site': 'cross-site', Cookie: `dfdeveloper_refresh=${second.refresh_token}` };
      expect((await post('/login/logout', {}, headers)).status).toBe(403);
      await new Bearer(app.url, second.token).get('/developers/me').expect(200);
    });
  });

  describe('from an unknown network', () => {
    const subjects = async (): Promise<(string | undefined)[]> => {
      await app.runsJob('developers.prune-links');
      return (await app.mailbox.all(ann.email)).map(({ subject }) => subject).slice(1);
    };

    // red when: no session is compared with the earlier ones
    it('are mailed to the owner once per network', async () => {
      await logsIn('127.0.0.9');
      expect(await subjects()).toEqual([]);
      for (const address of ['203.0.113.7', '203.0.113.8']) await logsIn(address);
      expect(await subjects()).toEqual(['A login to your Agate account']);
      const mail = await app.mailbox.latest(ann.email, 2);
      expect(mail.text).toContain('203.0.113.7');
      // red when: the time has no zone
      expect(mail.text).toMatch(/ on \d+ \w+ \d{4}, \d\d:\d\d UTC, with an unknown program,/);
      expect(mail.text).toContain('/developers/reset_password');
    });

    it('are not mailed when the device is known, or the address of the account is not verified', async () => {
      const login = await post('/login/email', { email: ann.email, password: ann.password });
      const [cookie = ''] = /dfdeveloper_device=[^;]+/.exec(String(login.headers['set-cookie'])) ?? [];
      await logsIn('198.51.100.7', { Cookie: cookie });
      expect(await subjects()).toEqual([]);
      const email = randomEmail();
      const mallory = await app.unverifiedDeveloper(email);
      const body = { email, password: mallory.password };
      await post('/login/email', body, { 'X-Forwarded-For': '198.51.100.9' });
      await app.runsJob('developers.prune-links');
      expect(await app.mailbox.all(email)).toHaveLength(1);
    });
  });
});
