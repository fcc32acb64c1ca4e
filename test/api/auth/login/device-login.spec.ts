import { type Developer, type OrganizationRef } from '../../../support/actors/actors';
import { verifiedDeveloper } from '../../../support/actors/tenant';
import { TestApp } from '../../../support/app/test-app';
import { type Envelope } from '../../../support/checks/routes/route-requests';
import { until } from '../../../support/until';

interface Started {
  readonly device_code: string;
  readonly user_code: string;
  readonly verification_uri: string;
  readonly verification_uri_complete: string;
  readonly interval: number;
  readonly expires_in: number;
}

interface Taken {
  readonly status: number;
  readonly reason: unknown;
  readonly token: string;
}

const SCOPES = ['builds:read', 'organization:read'];

describe('the login of a program', () => {
  let app: TestApp;
  let ann: Developer;
  let organization: OrganizationRef;
  beforeAll(async () => {
    app = await TestApp.start({ environment: { RATE_LIMIT_FACTOR: '1' } });
  });
  afterAll(() => app.stop());
  beforeEach(async () => {
    ann = await verifiedDeveloper(app);
    organization = await ann.createsOrganization();
  });

  const start = async (host = 'anns-laptop'): Promise<Started> =>
    (await app.anonymous.post('/api/v1/login/device').send({ host, scopes: SCOPES }).expect(200)).body as Started;
  const take = async ({ device_code }: Started): Promise<Taken> => {
    const { status, body } = await app.anonymous.post('/api/v1/login/device/token').send({ device_code });
    const { token, details } = body as Partial<Envelope> & { token: string };
    return { status, reason: details?.['reason'], token };
  };
  const rejected = (reason: string): object => ({ status: 400, reason });
  const find = (as: Developer, code: string) => as.get(`/login/device?user_code=${encodeURIComponent(code)}`);
  const confirm = (as: Developer, user_code: string, { id } = organization) =>
    as.post(`/login/device/confirm?organization_id=${id}`, { user_code });
  const deny = (as: Developer, user_code: string) => as.post('/login/device/deny', { user_code });
  const eventsOf = async (developer: Developer): Promise<string[]> => {
    const events = await app.sql<{ type: string }>('SELECT type FROM audit_event WHERE actor_id = $1 ORDER BY id', [
      developer.id,
    ]);
    return events.map(({ type }) => type).filter((type) => /^(device_login|personal_access_token)/.test(type));
  };

  it('ends with a personal access token when a developer confirms it', async () => {
    const started = await start();
    expect(started).toMatchObject({
      user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/) as string,
      verification_uri: 'http://localhost:3000/device',
      verification_uri_complete: `http://localhost:3000/device?code=${started.user_code}`,
      interval: 5,
      expires_in: 600,
    });
    expect(await take(started)).toMatchObject(rejected('authorization_pending'));
    const shown = { host: 'anns-laptop', scopes: SCOPES, address: '127.0.0.1', organization_id: null };
    const asTyped = started.user_code.toLowerCase().replace('-', ' ');
    expect((await find(ann, asTyped).expect(200)).body).toMatchObject({ ...shown, state: 'pending' });

    await confirm(ann, started.user_code).expect(204);
    const confirmed = { state: 'confirmed', organization_id: organization.id };
    expect((await find(ann, started.user_code).expect(200)).body).toMatchObject({ ...shown, ...confirmed });
    const { status, token } = await take(started);
    expect(status).toBe(200);
    const pats = (await ann.get(`/pats?organization_id=${organization.id}`).expect(200)).body as {
      items: { expires_at: string; created_at: string }[];
    };
    expect(pats.items).toMatchObject([{ name: 'agate on anns-laptop', scopes: SCOPES, developer_id: ann.id }]);
    const [{ expires_at, created_at }] = pats.items as [{ expires_at: string; created_at: string }];
    expect((Date.parse(expires_at) - Date.parse(created_at)) / 86_400_000).toBeCloseTo(90);
    await app.ci(token).get(`/organizations/${organization.id}`).expect(200);
    expect(await take(started)).toMatchObject(rejected('expired_token'));
    expect(await eventsOf(ann)).toEqual(['device_login.confirmed', 'personal_access_token.created']);
    await until(async () => (await app.mailbox.all(ann.email)).some(({ text }) => text?.includes(token.slice(-4))));
  });

  it('ends without a token when a developer denies it', async () => {
    const started = await start();
    await deny(ann, started.user_code).expect(204);
    expect(await take(started)).toMatchObject(rejected('access_denied'));
    expect((await find(ann, started.user_code).expect(200)).body).toMatchObject({ state: 'denied' });
    expect(await eventsOf(ann)).toEqual(['device_login.denied']);
  });

  it('keeps the first decision, and accepts a repetition of it', async () => {
    const [yes, no] = [await start(), await start()];
    await confirm(ann, yes.user_code).expect(204);
    await confirm(ann, yes.user_code).expect(204);
    await deny(ann, no.user_code).expect(204);
    await deny(ann, no.user_code).expect(204);
    expect(await eventsOf(ann)).toEqual(['device_login.confirmed', 'device_login.denied']);
    const other = await ann.createsOrganization();
    const contradictions = [deny(ann, yes.user_code), confirm(ann, yes.user_code, other), confirm(ann, no.user_code)];
    for (const contradiction of contradictions) {
      expect((await contradiction.expect(400)).body).toMatchObject({ details: { reason: 'already_decided' } });
    }
    // Another developer sees nothing of it.
    const bob = await verifiedDeveloper(app);
    await find(bob, yes.user_code).expect(404);
    await deny(bob, yes.user_code).expect(404);
  });

  it('needs a session and a membership to be confirmed', async () => {
    const { user_code } = await start();
    const bob = await verifiedDeveloper(app);
    expect((await confirm(bob, user_code).expect(403)).body).toMatchObject({ error: 'permission_denied' });
    const draft = { name: 'script', scopes: ['organization:read'] };
    const { body } = await ann.post(`/pats?organization_id=${organization.id}`, draft).expect(201);
    const pat = app.ci((body as { token: string }).token);
    for (const request of [
      pat.get(`/login/device?user_code=${user_code}`),
      pat.post(`/login/device/confirm?organization_id=${organization.id}`, { user_code }),
      pat.post('/login/device/deny', { user_code }),
    ]) {
      expect((await request.expect(403)).body).toMatchObject({ error: 'operation_not_allowed' });
    }
    const unverified = await app.unverifiedDeveloper();
    await app.sql(`INSERT INTO membership VALUES ($1, $2, '{READ}', now())`, [organization.id, unverified.id]);
    expect((await confirm(unverified, user_code).expect(403)).body).toMatchObject({ error: 'email_not_verified' });
  });

  it('expires after ten minutes', async () => {
    const [pending, confirmed] = [await start(), await start()];
    await confirm(ann, confirmed.user_code).expect(204);
    await app.clock.advance({ minutes: 10 });
    const later = await app.anonymous.post('/api/v1/login/email').send({ email: ann.email, password: ann.password });
    ann.token = (later.body as { token: string }).token;
    expect(await take(pending)).toMatchObject(rejected('expired_token'));
    expect(await take(confirmed)).toMatchObject(rejected('expired_token'));
    await find(ann, pending.user_code).expect(404);
    await confirm(ann, pending.user_code).expect(404);
    await app.clock.advance({ minutes: 61 });
    await app.runsJob('auth.prune-device-logins');
    expect(await app.sql('SELECT FROM device_login')).toEqual([]);
  });

  it('slows down a program that does not wait for the interval', async () => {
    const started = await start();
    expect(await take(started)).toMatchObject(rejected('authorization_pending'));
    expect(await take(started)).toMatchObject(rejected('slow_down'));
    await app.clock.advance({ seconds: 5 });
    // The interval is ten seconds now.
    expect(await take(started)).toMatchObject(rejected('slow_down'));
    await app.clock.advance({ seconds: 15 });
    expect(await take(started)).toMatchObject(rejected('authorization_pending'));
    await confirm(ann, started.user_code).expect(204);
    expect(await take(started)).toMatchObject({ status: 200 });
  });

  // red when: `take` does not lock the login
  it('returns its token once when the program sends ten requests in parallel', async () => {
    const started = await start();
    await confirm(ann, started.user_code).expect(204);
    const taken = await Promise.all(Array.from({ length: 10 }, () => take(started)));
    expect(taken.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(9).fill(400)]);
    const page = (await ann.get(`/pats?organization_id=${organization.id}`).expect(200)).body as { items: object[] };
    expect(page.items).toHaveLength(1);
  });

  // red when: `open` does not lock the login
  it('has one outcome when it is confirmed, denied and polled in parallel', async () => {
    for (let round = 0; round < 5; round += 1) {
      const started = await start();
      const [yes, no, polled] = await Promise.all([
        confirm(ann, started.user_code),
        deny(ann, started.user_code),
        take(started),
      ]);
      expect([yes.status, no.status].sort()).toEqual([204, 400]);
      const outcome = yes.status === 204 ? { status: 200 } : rejected('access_denied');
      // The poll takes the token itself when it comes after the confirmation.
      expect(polled.status === 200 ? polled : await take(started)).toMatchObject(outcome);
    }
    expect((await eventsOf(ann)).filter((type) => type.startsWith('device_login'))).toHaveLength(5);
  });

  // red when: `open` rolls the count back with its error, or counts beside the lock
  it('rejects further guesses of a developer after five wrong codes, even when they are sent in parallel', async () => {
    const { user_code } = await start();
    const guesses = await Promise.all(
      Array.from({ length: 12 }, (_, n) => find(ann, `BBBB-BBB${'BCDFGHJKLMNP'.charAt(n)}`)),
    );
    expect(guesses.map(({ status }) => status).sort()).toEqual([
      ...Array<number>(5).fill(404),
      ...Array<number>(7).fill(429),
    ]);
    for (const request of [find(ann, user_code), confirm(ann, user_code), deny(ann, user_code)]) {
      const { body, headers } = await request.expect(429);
      expect(body).toMatchObject({ error: 'rate_limit_exceeded' });
      expect(Number(headers['retry-after'])).toBeGreaterThan(500);
    }
    // Another developer at the same address is not affected.
    await find(await verifiedDeveloper(app), user_code).expect(200);
  });

  it('does not count malformed codes as guesses', async () => {
    const { user_code } = await start();
    for (const code of ['ABCD-EFGH', 'BBBB-BBB', '', 'x'.repeat(50), '<script>', 'BBBB-BBBB-B', '12345678']) {
      expect((await find(ann, code).expect(400)).body).toMatchObject({ error: 'validation_error' });
    }
    await find(ann, user_code).expect(200);
  });

  it('returns no token when the account was suspended, left the organization, or was deleted after the confirmation', async () => {
    const suspended = await start();
    await confirm(ann, suspended.user_code).expect(204);
    await app.sql('UPDATE developer SET suspended_at = now() WHERE id = $1', [ann.id]);
    expect(await take(suspended)).toMatchObject(rejected('access_denied'));

    const bob = await verifiedDeveloper(app);
    await app.sql(`INSERT INTO membership VALUES ($1, $2, '{READ}', now())`, [organization.id, bob.id]);
    const left = await start();
    await confirm(bob, left.user_code).expect(204);
    await bob.delete(`/organizations/${organization.id}/members/${bob.id}`).expect(204);
    expect(await take(left)).toMatchObject(rejected('expired_token'));

    const denied = await start();
    await deny(bob, denied.user_code).expect(204);
    await bob.request('delete', '/developers/me').send({ password: bob.password }).expect(204);
    expect(await take(denied)).toMatchObject(rejected('expired_token'));
  });

  it('stores neither of its codes', async () => {
    const started = await start();
    const [row] = await app.sql<{ row: string }>(
      'SELECT device_login::text AS row FROM device_login ORDER BY created_at DESC',
    );
    for (const secret of [started.device_code, started.user_code, started.user_code.replace('-', '')]) {
      expect(row?.row).not.toContain(secret);
      expect(row?.row).not.toContain(Buffer.from(secret).toString('hex'));
    }
  });

  it.each([
    [{}, ['host', 'scopes']],
    [{ host: ' ', scopes: ['builds:read'] }, ['host']],
    [{ host: 'x'.repeat(81), scopes: ['builds:read'] }, ['host']],
    [{ host: 'x', scopes: [] }, ['scopes']],
    [{ host: 'x', scopes: ['everything'] }, ['scopes']],
  ])('is not started with %j', async (body, fields) => {
    const response = await app.anonymous.post('/api/v1/login/device').send(body).expect(400);
    const { details } = response.body as { details: { fields: { field: string }[] } };
    expect(details.fields.map(({ field }) => field)).toEqual(fields);
  });

  it('is not started by a page of another site', async () => {
    const request = app.anonymous.post('/api/v1/login/device').set('Sec-Fetch-Site', 'cross-site');
    await request.send({ host: 'x', scopes: ['builds:read'] }).expect(403);
  });
});

describe('the codes of logins of programs', () => {
  let app: TestApp;
  let unlimited: TestApp;
  beforeAll(async () => {
    app = await TestApp.start({ environment: { RATE_LIMIT_FACTOR: '1' } });
    unlimited = await TestApp.start({ beside: app, worker: false });
  });
  afterAll(async () => {
    await unlimited.stop();
    await app.stop();
  });

  // red when: the count of the network is checked before the code
  it('are accepted in a network in which other developers entered fifty wrong ones', async () => {
    const draft = { host: 'laptop', scopes: SCOPES };
    const started = (await app.anonymous.post('/api/v1/login/device').send(draft).expect(200)).body as Started;
    const others = await Promise.all(Array.from({ length: 11 }, () => verifiedDeveloper(unlimited)));
    const ann = await verifiedDeveloper(unlimited);
    const find = ({ token }: Developer, code: string) => app.ci(token).get(`/login/device?user_code=${code}`);
    for (const other of others.slice(0, 10)) {
      for (const letter of 'BCDFG') await find(other, `BBBB-BBB${letter}`).expect(404);
    }
    await find(others[10]!, 'BBBB-BBBB').expect(429);
    await find(ann, started.user_code).expect(200);
    // The limit of each developer stays.
    await find(others[0]!, started.user_code).expect(429);
  });
});

describe('the revocation of a personal access token by its value', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await TestApp.start();
  });
  afterAll(() => app.stop());

  it('ends the token, and has the same response for every value', async () => {
    const ann = await verifiedDeveloper(app);
    const organization = await ann.createsOrganization();
    const draft = { name: 'script', scopes: ['organization:read'] };
    const { body } = await ann.post(`/pats?organization_id=${organization.id}`, draft).expect(201);
    const { token, id } = body as { token: string; id: string };
    await app.ci(token).get(`/organizations/${organization.id}`).expect(200);
    for (const value of [token, token, 'ag_pat_x', ann.token.slice(0, 90)]) {
      await app.anonymous.post('/api/v1/pats/revoke').send({ token: value }).expect(204);
    }
    await app.ci(token).get(`/organizations/${organization.id}`).expect(401);
    const events = await app.sql(`SELECT payload FROM audit_event WHERE type = 'personal_access_token.revoked'`);
    expect(events).toEqual([{ payload: { token_id: id, developer_id: ann.id } }]);
  });
});

describe('the login of a program without a dashboard', () => {
  it('is not started', async () => {
    const app = await TestApp.start({ environment: { DASHBOARD: 'false' }, worker: false });
    const request = app.anonymous.post('/api/v1/login/device').send({ host: 'x', scopes: ['builds:read'] });
    expect((await request.expect(400)).body).toMatchObject({ details: { reason: 'no_dashboard' } });
    await app.stop();
  });
});
