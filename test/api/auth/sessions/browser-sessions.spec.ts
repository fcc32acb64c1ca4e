import supertest from 'supertest';
import { type Developer } from '../../../support/actors/actors';
import { TestApp } from '../../../support/app/test-app';

/** A web page keeps no token: its browser has the cookies. */
describe('a session of a browser', () => {
  let app: TestApp;
  let ann: Developer;
  beforeAll(async () => {
    app = await TestApp.start();
  });
  afterAll(() => app.stop());
  beforeEach(async () => {
    ann = await app.developer();
  });

  /** A browser that has logged in, with its cookies. */
  const browser = async (): Promise<ReturnType<typeof supertest.agent>> => {
    const agent = supertest.agent(app.url);
    const credentials = { email: ann.email, password: ann.password, cookies_only: true };
    const { text } = await agent.post('/api/v1/login/email').send(credentials).expect(204);
    expect(text).toBe('');
    return agent;
  };
  const stateOf = async (agent: ReturnType<typeof supertest.agent>): Promise<string> =>
    ((await agent.get('/api/v1/login/session').expect(200)).body as { state: string }).state;
  const eventsOf = async (type: string): Promise<number> =>
    (await app.sql(`SELECT 1 FROM audit_event WHERE type = $1 AND payload->>'developer_id' = $2`, [type, ann.id]))
      .length;

  // red when: a response with cookies_only has a body
  it('is started and continued with cookies_only, by cookies alone', async () => {
    const agent = await browser();
    await agent.get('/api/v1/developers/me').expect(200);
    const refreshed = await agent.post('/api/v1/login/refresh').send({ cookies_only: true }).expect(204);
    expect(refreshed.text).toBe('');
    expect(String(refreshed.headers['set-cookie'])).toMatch(/dfdeveloper=ey.*dfdeveloper_refresh=ag_ref_/);
    await agent.get('/api/v1/developers/me').expect(200);
    expect(await stateOf(agent)).toBe('active');
  });

  it('is rejected like any login, with a body', async () => {
    const wrong = { email: ann.email, password: 'not the pass phrase', cookies_only: true };
    const { body } = await app.anonymous.post('/api/v1/login/email').send(wrong).expect(401);
    expect(body).toMatchObject({ error: 'unauthorized' });
    await app.anonymous.post('/api/v1/login/refresh').send({ cookies_only: true }).expect(401);
  });

  // red when: logOut ignores only_this_session, or endCurrent revokes all families
  it('ends alone with only_this_session', async () => {
    const [one, other] = [await browser(), await browser()];
    const out = await one.post('/api/v1/login/logout').send({ only_this_session: true }).expect(204);
    expect(String(out.headers['set-cookie'])).toMatch(/dfdeveloper=;.*dfdeveloper_refresh=;/);
    expect(await stateOf(one)).toBe('none');
    expect(await stateOf(other)).toBe('active');
    await other.post('/api/v1/login/refresh').send({ cookies_only: true }).expect(204);
    await ann.get('/developers/me').expect(200);
    expect([await eventsOf('session.ended'), await eventsOf('session.logged_out')]).toEqual([1, 0]);
    await other.post('/api/v1/login/logout').expect(204);
    await ann.get('/developers/me').expect(401);
    expect(await eventsOf('session.logged_out')).toBe(1);
  });

  it('ends alone by its refresh token when the access token has expired, and its tokens stop working', async () => {
    const { token, refreshToken } = ann;
    const body = { only_this_session: true, refresh_token: refreshToken };
    const other = await browser();
    await app.anonymous.post('/api/v1/login/logout').send(body).expect(204);
    await app.ci(token).get('/developers/me').expect(401);
    await app.anonymous.post('/api/v1/login/refresh').send({ refresh_token: refreshToken }).expect(401);
    await app.anonymous.post('/api/v1/login/logout').send(body).expect(401);
    expect(await stateOf(other)).toBe('active');
  });

  // red when: the leeway for a token that was just replaced is 0: the slower tab would end the session of both
  it('continues in two tabs that refresh concurrently', async () => {
    const agent = await browser();
    for (let round = 0; round < 3; round += 1) {
      const refresh = () => agent.post('/api/v1/login/refresh').send({ cookies_only: true });
      const statuses = (await Promise.all([refresh(), refresh()])).map(({ status }) => status);
      expect(statuses.sort()).toEqual([204, 401]);
      // The slower tab looks again before it shows the login form.
      expect(await stateOf(agent)).toBe('active');
      await agent.get('/api/v1/developers/me').expect(200);
    }
  });
});
