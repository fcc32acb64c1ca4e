import { generate } from 'otplib';
import { Client } from 'pg';
import { Developer } from '../../../support/actors/actors';
import { TestApp } from '../../../support/app/test-app';
import { until } from '../../../support/until';

describe('a developer account', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await TestApp.start();
  });
  afterAll(() => app.stop());

  const login = (body: object) => app.anonymous.post('/api/v1/login/email').send(body);

  it('loses its sessions and keeps its personal access tokens when the password changes', async () => {
    const ann = await app.developer();
    const { id } = await ann.createsOrganization();
    const { body } = await ann
      .post(`/pats?organization_id=${id}`, { name: 'x', scopes: ['organization:read'] })
      .expect(201);
    const change = { current_password: 'not it at all', new_password: 'an entirely new phrase' };
    expect((await ann.post('/developers/me/password', change).expect(400)).body).toMatchObject({
      details: { reason: 'wrong_password' },
    });
    await ann.post('/developers/me/password', { ...change, current_password: ann.password }).expect(204);
    await ann.get('/developers/me').expect(401);
    await app.anonymous.post('/api/v1/login/refresh').send({ refresh_token: ann.refreshToken }).expect(401);
    await app
      .ci((body as { token: string }).token)
      .get('/organizations')
      .expect(200);
    await login({ email: ann.email, password: ann.password }).expect(401);
    await login({ email: ann.email, password: change.new_password }).expect(200);
  });

  it('gets a new address when the link mailed to it is used, and notifies the old address', async () => {
    const ann = await app.developer();
    const newEmail = `new.${ann.email}`;
    await ann.post('/developers/me/email', { new_email: newEmail, password: ann.password }).expect(204);
    const link = await app.mailbox.link(newEmail);
    await app.anonymous.get(link.pathname + link.search).expect(200);
    expect((await ann.get('/developers/me').expect(200)).body).toMatchObject({ email: ann.email });
    const token = link.searchParams.get('token');
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => app.anonymous.post(link.pathname).send({ token })),
    );
    expect(responses.filter(({ status }) => status === 204)).toHaveLength(1);
    await ann.get('/developers/me').expect(401);
    await login({ email: ann.email, password: ann.password }).expect(401);
    const moved = await Developer.logIn(app.url, newEmail, ann.password);
    expect(moved.id).toBe(ann.id);
    expect((await app.mailbox.latest(ann.email, 2)).subject).toContain('changed');
  });

  describe('links that were mailed before the password or the address changed', () => {
    const PHRASE = 'a phrase that nobody knew';
    /** Returns the link of the n-th mail to an address. */
    const mailed = async (email: string, count: number): Promise<{ path: string; token: string }> => {
      const { pathname, searchParams } = await app.mailbox.link(email, count);
      return { path: pathname, token: searchParams.get('token') ?? '' };
    };
    /** Requests a reset link. It is in the second mail; the first one verified the address. */
    const requestsReset = async ({ email }: Developer): Promise<string> => {
      await app.anonymous.post('/api/v1/developers/reset_password_request').send({ email }).expect(204);
      return (await mailed(email, 2)).token;
    };
    const resets = (token: string) =>
      app.anonymous.post('/api/v1/developers/reset_password').send({ token, new_password: PHRASE });

    // red when: confirming a new address keeps the links that set a password
    it('do not set a password after the address has changed', async () => {
      const ann = await app.developer();
      const token = await requestsReset(ann);
      const newEmail = `new.${ann.email}`;
      await ann.post('/developers/me/email', { new_email: newEmail, password: ann.password }).expect(204);
      const change = await mailed(newEmail, 1);
      await app.anonymous.post(change.path).send({ token: change.token }).expect(204);
      expect((await resets(token).expect(400)).body).toMatchObject({ details: { reason: 'link_expired' } });
      await login({ email: newEmail, password: ann.password }).expect(200);
    });

    // red when: the job that sends the mail locks the account but does not check that it still has the address
    it('are not mailed to an address that a concurrent request replaces', async () => {
      const ann = await app.developer();
      const client = new Client({ connectionString: app.database.url });
      await client.connect();
      try {
        await client.query('BEGIN');
        await client.query(`UPDATE developer SET email = 'x' || email, email_key = 'x' || email_key WHERE id = $1`, [
          ann.id,
        ]);
        await app.anonymous.post('/api/v1/developers/reset_password_request').send({ email: ann.email }).expect(204);
        const waiters = `SELECT 1 FROM pg_locks WHERE NOT granted AND transactionid = pg_current_xact_id()::xid`;
        await until(async () => (await client.query(waiters)).rowCount !== 0);
        await client.query('COMMIT');
      } finally {
        await client.end();
      }
      await app.runsJob('developers.prune-links');
      expect(await app.sql(`SELECT purpose FROM developer_link WHERE developer_id = $1`, [ann.id])).toEqual([
        { purpose: 'verify_email' },
      ]);
      expect(await app.mailbox.all(ann.email)).toHaveLength(1);
    });

    // red when: a new password keeps the links that change the address
    it.each<[string, (ann: Developer) => Promise<unknown>]>([
      ['reset', async (ann) => resets(await requestsReset(ann)).expect(204)],
      [
        'changed',
        (ann) =>
          ann
            .post('/developers/me/password', { current_password: ann.password, new_password: PHRASE })
            .expect(204)
            .then(),
      ],
    ])('do not change the address after the password was %s', async (_how, replacesPassword) => {
      const ann = await app.developer();
      const newEmail = `eve.${ann.email}`;
      await ann.post('/developers/me/email', { new_email: newEmail, password: ann.password }).expect(204);
      const change = await mailed(newEmail, 1);
      await replacesPassword(ann);
      await app.anonymous.post(change.path).send({ token: change.token }).expect(400);
      await login({ email: newEmail, password: PHRASE }).expect(401);
      await login({ email: ann.email, password: PHRASE }).expect(200);
    });
  });

  it('needs a code for a login once a second factor is confirmed, and accepts each code once', async () => {
    const ann = await app.developer();
    const { secret } = (await ann.post('/developers/me/mfa', { password: ann.password }).expect(200)).body as {
      secret: string;
    };
    const currentCode = (): Promise<string> =>
      generate({ secret, epoch: Math.floor(app.clock.now().getTime() / 1000) });
    await login({ email: ann.email, password: ann.password }).expect(200);
    const { password } = ann;
    await ann.post('/developers/me/mfa/confirm', { password, code: '000000' }).expect(400);
    const { body } = await ann.post('/developers/me/mfa/confirm', { password, code: await currentCode() }).expect(200);
    const { recovery_codes: codes } = body as { recovery_codes: string[] };
    expect(codes).toHaveLength(10);
    await ann.get('/developers/me').expect(401);

    const credentials = { email: ann.email, password: ann.password };
    expect((await login(credentials).expect(401)).body).toMatchObject({
      error: 'unauthorized',
      details: { mfa_required: true },
    });
    expect((await login({ ...credentials, password: 'wrong wrong' }).expect(401)).body).not.toHaveProperty(
      'details.mfa_required',
    );
    await app.clock.advance({ seconds: 30 });
    const mfaCode = await currentCode();
    const responses = await Promise.all(Array.from({ length: 5 }, () => login({ ...credentials, mfa_code: mfaCode })));
    // red when: the factor is not locked, or last_step is not compared
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401]);
    const recovery = await Promise.all(
      Array.from({ length: 5 }, () => login({ ...credentials, mfa_code: codes[0]?.toUpperCase() })),
    );
    expect(recovery.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401]);

    const { token } = (recovery.find(({ status }) => status === 200)?.body ?? {}) as { token: string };
    const again = app.ci(token);
    expect((await again.get('/developers/me').expect(200)).body).toMatchObject({ mfa_enabled: true });
    await again.post('/developers/me/mfa', { password }).expect(409);
    await again.request('delete', '/developers/me/mfa').send({ password: ann.password, code: codes[1] }).expect(204);
    await login(credentials).expect(200);
  });

  // red when: a route that sets a password has no `NewPasswordField`
  it('cannot have one of the most common passwords', async () => {
    const ann = await app.developer();
    const common = 'MailCreated5240';
    const signUp = app.anonymous.post('/api/v1/developers').send({ email: 'new@example.com', password: common });
    const change = ann.post('/developers/me/password', { current_password: ann.password, new_password: common });
    await app.anonymous.post('/api/v1/developers/reset_password_request').send({ email: ann.email }).expect(204);
    const token = (await app.mailbox.link(ann.email, 2)).searchParams.get('token');
    const reset = app.anonymous.post('/api/v1/developers/reset_password').send({ token, new_password: common });
    for (const request of [signUp, change, reset]) {
      const { body } = await request.expect(400);
      expect(JSON.stringify(body)).toContain('is one of the most common passwords; choose another');
    }
    await app.anonymous
      .post('/api/v1/developers/reset_password')
      .send({ token, new_password: 'another good phrase' })
      .expect(204);
  });

  it('can be deleted, unless the developer is the last ADMIN of an organization', async () => {
    const ann = await app.developer();
    const organization = await ann.createsOrganization();
    const remove = () => ann.request('delete', '/developers/me').send({ password: ann.password });
    const refused = await remove().expect(400);
    expect(refused.body).toMatchObject({
      error: 'operation_not_allowed',
      details: { reason: 'last_admin', organization_id: organization.id },
    });
    await ann.get('/developers/me').expect(200);
    await ann.delete(`/organizations/${organization.id}`).expect(204);
    await ann.request('delete', '/developers/me').send({ password: 'wrong wrong' }).expect(400);
    await remove().expect(204);
    await ann.get('/developers/me').expect(401);
    await login({ email: ann.email, password: ann.password }).expect(401);
  });

  // red when: the deletion does not wait for other changes of the developer's memberships
  it('is not deleted while a concurrent request makes the developer the last ADMIN of an organization', async () => {
    const ann = await app.developer();
    // A trial credit would lock the account.
    await app.sql('UPDATE developer SET trial_credits = 1000 WHERE id = $1', [ann.id]);
    const client = new Client({ connectionString: app.database.ownerUrl });
    await client.connect();
    const waiters = async (count: number): Promise<void> =>
      until(async () => {
        const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
        // Not by the client: within its transaction the view stays as it was at the first read.
        return (await app.sql(waiting)).length === count;
      });
    try {
      await client.query('BEGIN; LOCK TABLE billing_account IN EXCLUSIVE MODE');
      const creation = ann.post('/organizations', { name: 'Late' }).then();
      await waiters(1);
      const deletion = ann.request('delete', '/developers/me').send({ password: ann.password }).then();
      await waiters(2);
      await client.query('COMMIT');
      expect((await creation).status).toBe(201);
      expect((await deletion).body).toMatchObject({ details: { reason: 'last_admin' } });
    } finally {
      await client.end();
    }
    const abandoned =
      'SELECT name FROM organization o WHERE NOT EXISTS (SELECT FROM membership WHERE organization_id = o.id)';
    expect(await app.sql(abandoned)).toEqual([]);
  });

  // red when: the route is declared `verified: false`
  it('cannot be deleted before its address is verified: a stranger may have signed up with the address', async () => {
    const mallory = await app.unverifiedDeveloper();
    const refused = await mallory.request('delete', '/developers/me').send({ password: mallory.password }).expect(403);
    expect(refused.body).toMatchObject({ error: 'email_not_verified' });
    await mallory.get('/developers/me').expect(200);
  });
});
