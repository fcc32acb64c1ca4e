import { Client } from 'pg';
import supertest from 'supertest';
import { type Developer, randomEmail } from '../../../support/actors/actors';
import { verifiedDeveloper } from '../../../support/actors/tenant';
import { TestApp } from '../../../support/app/test-app';
import { until } from '../../../support/until';

interface Pair {
  readonly token: string;
  readonly refresh_token: string;
}

/** `SESSION_ROUNDS=full` runs enough rounds to find rare races. It takes twenty seconds, or minutes on a busy machine. */
const ROUNDS = process.env['SESSION_ROUNDS'] === 'full' ? { logout: 500, refresh: 100 } : { logout: 30, refresh: 8 };
const TIMEOUT_MS = 300_000;

/** Two processes share one database. The clock is the injected one. */
describe('sessions', () => {
  let one: TestApp;
  let two: TestApp;
  beforeAll(async () => {
    one = await TestApp.start();
    two = await TestApp.start({ beside: one, worker: false });
  });
  afterAll(async () => {
    await two.stop();
    await one.stop();
  });

  const refresh = (app: TestApp, refreshToken: string): supertest.Test =>
    supertest(app.url).post('/api/v1/login/refresh').send({ refresh_token: refreshToken });
  const refreshed = async (app: TestApp, refreshToken: string): Promise<Pair> =>
    (await refresh(app, refreshToken).expect(200)).body as Pair;
  const logIn = async (app: TestApp, { email, password }: Developer): Promise<Pair> =>
    (await supertest(app.url).post('/api/v1/login/email').send({ email, password }).expect(200)).body as Pair;
  const logOut = (app: TestApp, token: string): supertest.Test => app.ci(token).post('/login/logout');
  const statusOf = async (app: TestApp, token: string): Promise<number> =>
    (await app.ci(token).get('/developers/me')).status;
  const reuses = async (developer: Developer): Promise<number> =>
    (
      await one.sql(
        `SELECT 1 FROM audit_event WHERE type = 'session.refresh_reuse' AND payload ->> 'developer_id' = $1`,
        [developer.id],
      )
    ).length;
  /**
   * Changes the developer's row, sends the request, and commits the change while the request waits for the row. What the
   * request read before is then out of date.
   * @returns the status of the response.
   */
  const statusDuringChange = async (
    change: string,
    developer: Developer,
    request: () => supertest.Test,
  ): Promise<number> => {
    const client = new Client({ connectionString: one.database.url });
    await client.connect();
    try {
      await client.query('BEGIN');
      await client.query(`UPDATE developer SET ${change} WHERE id = $1`, [developer.id]);
      const response = request().then(({ status }) => status);
      const waiters = `SELECT 1 FROM pg_locks WHERE NOT granted AND transactionid = pg_current_xact_id()::xid`;
      await until(async () => (await client.query(waiters)).rowCount !== 0);
      await client.query('COMMIT');
      return await response;
    } finally {
      await client.end();
    }
  };
  const outlastLeeway = () => one.clock.advance({ seconds: 11 });

  it(
    'end on every process with a logout, and a login in the same moment starts a new one',
    async () => {
      const ann = await verifiedDeveloper(one);
      let pair: Pair = { token: ann.token, refresh_token: ann.refreshToken };
      const survivors: number[] = [];
      const rejected: number[] = [];
      for (let round = 0; round < ROUNDS.logout; round++) {
        const [here, there] = round % 2 === 0 ? [one, two] : [two, one];
        const old = pair;
        await logOut(here, old.token).expect(204);
        pair = await logIn(there, ann);
        const [before, after, late] = await Promise.all([
          statusOf(there, old.token),
          statusOf(here, pair.token),
          refresh(there, old.refresh_token).then(({ status }) => status),
        ]);
        if (before !== 401 || late !== 401) survivors.push(round);
        if (after !== 200) rejected.push(round);
      }
      // red when: iat has whole seconds (rejected), or min_issued_at is truncated to seconds (survivors)
      expect({ survivors, rejected }).toEqual({ survivors: [], rejected: [] });
    },
    TIMEOUT_MS,
  );

  it('end with a new password, which keeps personal access tokens valid', async () => {
    const ann = await verifiedDeveloper(one);
    const organization = await ann.createsOrganization();
    const pat = (
      await ann
        .post(`/pats?organization_id=${organization.id}`, { name: 'x', scopes: ['organization:read'] })
        .expect(201)
    ).body as { token: string };
    await one.anonymous.post('/api/v1/developers/reset_password_request').send({ email: ann.email }).expect(204);
    // One mail verifies the address, one reports the new token, and one has the link; the last two are sent in any order.
    await one.mailbox.latest(ann.email, 3);
    const links = (await one.mailbox.all(ann.email)).map(
      ({ text }) => /https?:\/\/\S+reset_password\S+/.exec(text ?? '')?.[0],
    );
    const link = new URL(links.find((each) => each !== undefined) ?? '');
    const body = { token: link.searchParams.get('token'), new_password: 'another good phrase' };
    await one.anonymous.post('/api/v1/developers/reset_password').send(body).expect(204);
    expect(await statusOf(two, ann.token)).toBe(401);
    await refresh(two, ann.refreshToken).expect(401);
    expect(await statusOf(two, pat.token)).toBe(200);
    await logIn(two, Object.assign(Object.create(ann) as Developer, { password: 'another good phrase' }));
  });

  it('are not refreshed during a concurrent logout', async () => {
    const ann = await verifiedDeveloper(one);
    const logOutNow = `min_issued_at = date_trunc('milliseconds', app_now()) + interval '1 millisecond'`;
    // red when: issueTime does not lock, or runs after min_issued_at was read
    expect(await statusDuringChange(logOutNow, ann, () => refresh(two, ann.refreshToken))).toBe(401);
  });

  describe('after a concurrent change of the account', () => {
    const NEW_PASSWORD = `password_hash = (SELECT password_hash FROM developer ORDER BY id LIMIT 1)`;
    const NEW_EMAIL = `email_key = 'new.' || email_key, email = 'new.' || email`;
    const request = (ann: Developer) => ({
      login: () => supertest(two.url).post('/api/v1/login/email').send({ email: ann.email, password: ann.password }),
      'password change': () =>
        ann.post('/developers/me/password', { current_password: ann.password, new_password: 'another good phrase' }),
      'e-mail change': () => ann.post('/developers/me/email', { new_email: randomEmail(), password: ann.password }),
      deletion: () => ann.delete('/developers/me').send({ password: ann.password }),
    });

    // red when: lockCredentials does not compare, or is not called
    it.each([
      [NEW_PASSWORD, 'login', 401],
      [NEW_EMAIL, 'login', 401],
      ['name = name', 'login', 200],
      [NEW_PASSWORD, 'password change', 400],
      [NEW_PASSWORD, 'e-mail change', 400],
      [NEW_PASSWORD, 'deletion', 400],
    ] as const)('(%s), a %s returns %i', async (change, what, status) => {
      await verifiedDeveloper(one);
      const ann = await verifiedDeveloper(one);
      expect(await statusDuringChange(change, ann, request(ann)[what])).toBe(status);
      const families = `SELECT 1 FROM refresh_family WHERE developer_id = $1`;
      expect(await one.sql(families, [ann.id])).toHaveLength(status === 200 ? 2 : 1);
    });
  });

  it(
    'return one new pair for concurrent requests with the same refresh token',
    async () => {
      const ann = await verifiedDeveloper(one);
      for (let round = 0; round < ROUNDS.refresh; round++) {
        const { refresh_token: shared } = await logIn(one, ann);
        const responses = await Promise.all(
          Array.from({ length: 50 }, (_, index) => refresh(index % 2 ? one : two, shared)),
        );
        const statuses = responses.map(({ status }) => status);
        // red when: the family is not locked
        expect(statuses.filter((status) => status === 200)).toHaveLength(1);
        expect(statuses.filter((status) => status === 401)).toHaveLength(49);
        // Within the leeway, the reuse does not end the session.
        const winner = responses.find(({ status }) => status === 200)?.body as Pair;
        expect(await statusOf(two, winner.token)).toBe(200);
        await refresh(two, winner.refresh_token).expect(200);
      }
      expect(await reuses(ann)).toBe(0);
    },
    TIMEOUT_MS,
  );

  it('end when a used refresh token is sent again', async () => {
    const ann = await verifiedDeveloper(one);
    const other = await logIn(one, ann);
    const first = ann.refreshToken;
    const second = (await refreshed(one, first)).refresh_token;
    const third = (await refreshed(two, second)).refresh_token;
    // The leeway covers only the immediate predecessor of the newest token.
    await refresh(two, first).expect(401);
    await refresh(one, third).expect(401);
    await refresh(one, second).expect(401);
    // red when: rejectReuse does not revoke, or audits more than once
    expect(await reuses(ann)).toBe(1);
    // Another login has its own family.
    await refresh(one, other.refresh_token).expect(200);
  });

  it('survive the reuse of the immediate predecessor for ten seconds, without a second pair for it', async () => {
    const ann = await verifiedDeveloper(one);
    const second = (await refreshed(one, ann.refreshToken)).refresh_token;
    await refresh(two, ann.refreshToken).expect(401);
    const third = (await refreshed(one, second)).refresh_token;
    await outlastLeeway();
    await refresh(one, second).expect(401);
    await refresh(two, third).expect(401);
    expect(await reuses(ann)).toBe(1);
  });

  it('survive no reuse with REFRESH_REUSE_LEEWAY_SECONDS=0', async () => {
    const strict = await TestApp.start({
      beside: one,
      worker: false,
      environment: { REFRESH_REUSE_LEEWAY_SECONDS: '0' },
    });
    try {
      const ann = await verifiedDeveloper(one);
      const { refresh_token: next } = await refreshed(strict, ann.refreshToken);
      await refresh(strict, ann.refreshToken).expect(401);
      await refresh(strict, next).expect(401);
      expect(await reuses(ann)).toBe(1);
    } finally {
      await strict.stop();
    }
  });

  it('expire after 30 days without a refresh and 90 days after the login, and detect a reuse until then', async () => {
    const ann = await verifiedDeveloper(one);
    const idle = await verifiedDeveloper(one);
    const stolen = await verifiedDeveloper(one);
    const { refresh_token: next } = await refreshed(one, stolen.refreshToken);
    let token = ann.refreshToken;
    for (const days of [29, 29, 29]) {
      await one.clock.advance({ days });
      token = (await refreshed(one, token)).refresh_token;
      if (days === 29 && token === ann.refreshToken) throw new Error('The token was not replaced.');
    }
    await refresh(one, idle.refreshToken).expect(401);
    const before = await reuses(stolen);
    await refresh(two, stolen.refreshToken).expect(401);
    // red when: the reuse of a token is detected only until the token expires
    expect([before, await reuses(stolen)]).toEqual([0, 1]);
    await refresh(two, next).expect(401);
    // After 87 days the new token would be valid for 30 more days, but its family expires in three.
    const [{ expires }] = (await one.sql<{ expires: boolean }>(
      `SELECT bool_and(t.expires_at <= f.expires_at) AS expires FROM refresh_token t JOIN refresh_family f ON f.id = t.family_id`,
    )) as [{ expires: boolean }];
    expect(expires).toBe(true);
    await one.clock.advance({ days: 2 });
    token = (await refreshed(one, token)).refresh_token;
    await one.clock.advance({ days: 1, minutes: 1 });
    await refresh(one, token).expect(401);
  });

  it.each([['garbage'], ['ag_ref_'], [`ag_ref_${'0'.repeat(49)}`], ['ag_prj_x']])(
    'are not refreshed by the malformed token %s',
    async (token) => {
      expect((await refresh(one, token).expect(401)).body).toMatchObject({ error: 'unauthorized' });
    },
  );

  it('of a browser have two cookies, and a cookie of the device, with the right attributes', async () => {
    const ann = await verifiedDeveloper(one);
    const credentials = { email: ann.email, password: ann.password };
    const attributesOf = (headers: Record<string, unknown>): Record<string, string[]> =>
      Object.fromEntries<string[]>(
        (headers['set-cookie'] as string[]).map((line) => {
          const [pair = '', ...attributes] = line.split('; ');
          return [pair.split('=')[0] ?? '', attributes.filter((attribute) => !attribute.startsWith('Expires')).sort()];
        }),
      );
    const login = await one.anonymous.post('/api/v1/login/email').send(credentials).expect(200);
    const cookies = {
      dfdeveloper: ['HttpOnly', 'Max-Age=610', 'Path=/', 'SameSite=Lax'],
      dfdeveloper_refresh: ['HttpOnly', 'Max-Age=2592000', 'Path=/api/v1/login', 'SameSite=Lax'],
    };
    const device = ['HttpOnly', 'Max-Age=31536000', 'Path=/api/v1/login', 'SameSite=Lax'];
    expect(attributesOf(login.headers as Record<string, unknown>)).toEqual({ ...cookies, dfdeveloper_device: device });
    const browser = supertest.agent(one.url);
    await browser.post('/api/v1/login/email').send(credentials).expect(200);
    await browser.get('/api/v1/developers/me').expect(200);
    const again = await browser.post('/api/v1/login/refresh').expect(200);
    expect(attributesOf(again.headers as Record<string, unknown>)).toEqual(cookies);
    const out = await browser.post('/api/v1/login/logout').expect(204);
    expect(attributesOf(out.headers as Record<string, unknown>)).toEqual({
      dfdeveloper: ['HttpOnly', 'Path=/', 'SameSite=Lax'],
      dfdeveloper_refresh: ['HttpOnly', 'Path=/api/v1/login', 'SameSite=Lax'],
    });
    await browser.get('/api/v1/developers/me').expect(401);
    await browser.post('/api/v1/login/refresh').expect(401);

    const secure = await TestApp.start({
      beside: one,
      worker: false,
      environment: { BASE_URL: 'https://agate.example.com' },
    });
    try {
      const { headers } = await secure.anonymous.post('/api/v1/login/email').send(credentials).expect(200);
      for (const attributes of Object.values(attributesOf(headers as Record<string, unknown>)))
        expect(attributes).toContain('Secure');
    } finally {
      await secure.stop();
    }
  });
});
