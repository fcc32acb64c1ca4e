import { Developer as Actor, type Developer, randomEmail } from '../../support/actors/actors';
import { TestApp } from '../../support/app/test-app';
import { rawRequest } from '../../support/load/raw-http';

const PASSWORD = 'a long pass phrase';
const JOIN = '/api/v1/login/invitation';
const PREVIEW = '/api/v1/organizations/invitations/preview';

/** People without an account join by the mailed link alone: its token proves their address. */
describe('joining an organization by the mailed link', () => {
  let app: TestApp;
  let ann: Developer;
  let organization: { readonly id: string };
  beforeAll(async () => {
    app = await TestApp.start();
    ann = await app.developer();
    await ann.patch('/developers/me', { name: 'Ann Example' }).expect(200);
  });
  beforeEach(async () => {
    organization = await ann.createsOrganization('Acme');
  });
  afterAll(() => app.stop());

  const post = (path: string, body: object) => app.anonymous.post(path).send(body);
  /** Invites an address. Returns the token of its mail. */
  const invites = async (email: string, mails = 1): Promise<string> => {
    await ann.post(`/organizations/${organization.id}/invitations`, { email, roles: ['MANAGER'] }).expect(201);
    return (await app.mailbox.link(email, mails)).searchParams.get('token')!;
  };
  const joins = (token: string, more: object = {}) => post(JOIN, { token, password: PASSWORD, ...more });
  const unusable = { error: 'invalid_input', details: { reason: 'invitation_unusable' } };
  const lastEvents = async (count: number): Promise<string[]> =>
    (await app.sql<{ type: string }>('SELECT type FROM audit_event ORDER BY id DESC LIMIT $1', [count]))
      .map(({ type }) => type)
      .reverse();

  it('needs one request: the account is verified, a member and logged in, and no mail follows', async () => {
    const email = randomEmail();
    const token = await invites(email);
    const { body, headers } = await joins(token, { name: 'Kim Example' }).expect(200);
    const { token: jwt } = body as { token: string };
    expect(String(headers['set-cookie'])).toMatch(/dfdeveloper=.*dfdeveloper_refresh=/);
    const kim = (path: string) => app.anonymous.get(`/api/v1${path}`).set('Authorization', `Bearer ${jwt}`);
    expect((await kim('/developers/me').expect(200)).body).toMatchObject({
      email,
      name: 'Kim Example',
      email_verified: true,
    });
    expect((await kim(`/organizations/${organization.id}`).expect(200)).body).toMatchObject({ roles: ['MANAGER'] });
    expect(await lastEvents(3)).toEqual(['developer.signed_up', 'member.joined', 'login.succeeded']);
    // A mail that is queued later is written later.
    await invites(randomEmail());
    expect(await app.mailbox.all(email)).toHaveLength(1);
    expect((await joins(token).expect(400)).body).toMatchObject(unusable);
  });

  it('sends no token to scripts of a web page that asks for the cookies only', async () => {
    const { body, headers } = await joins(await invites(randomEmail()), { cookies_only: true }).expect(204);
    expect(body).toEqual({});
    expect(String(headers['set-cookie'])).toContain('dfdeveloper=');
  });

  // red when: the preview does not check the inviter, or joining hashes the password before it checks the token
  it('shows the invitation first, without using it, as long as it can be accepted', async () => {
    const email = randomEmail();
    const token = await invites(email);
    for (let times = 0; times < 2; times++)
      expect((await post(PREVIEW, { token }).expect(200)).body).toMatchObject({
        organization_id: organization.id,
        organization_name: 'Acme',
        invited_by_label: 'Ann Example',
        email,
        roles: ['MANAGER'],
        has_account: false,
        may_sign_up: true,
      });
    await app.sql(`UPDATE membership SET roles = '{READ}' WHERE organization_id = $1`, [organization.id]);
    const refused = async (): Promise<void> => {
      for (const response of [post(PREVIEW, { token }), joins(token)])
        expect((await response.expect(400)).body).toMatchObject(unusable);
    };
    await refused();
    await app.sql(`UPDATE membership SET roles = '{ADMIN}' WHERE organization_id = $1`, [organization.id]);
    await app.sql(`UPDATE organization_invitation SET expires_at = app_now() WHERE organization_id = $1`, [
      organization.id,
    ]);
    await refused();
    for (const unknown of ['x', 'a'.repeat(200)])
      expect((await post(PREVIEW, { token: unknown }).expect(400)).body).toMatchObject(unusable);
    await post(PREVIEW, {}).expect(400);
  });

  // red when: signUpProven replaces verified accounts too
  it('is refused for an address with a verified account, whose password stays', async () => {
    const bob = await app.developer();
    const token = await invites(bob.email, 2);
    expect((await post(PREVIEW, { token }).expect(200)).body).toMatchObject({ has_account: true });
    expect((await joins(token).expect(409)).body).toMatchObject({ error: 'already_exists' });
    await Actor.logIn(app.url, bob.email, bob.password);
    await bob.post('/organizations/invitations/accept', { token }).expect(200);
  });

  // red when: signUpProven keeps the unverified account, with its session and its second factor
  it('takes an address back from an account that never verified it', async () => {
    const email = randomEmail();
    const eve = await app.unverifiedDeveloper(email);
    const token = await invites(email, 2);
    expect((await post(PREVIEW, { token }).expect(200)).body).toMatchObject({ has_account: false });
    await joins(token).expect(200);
    await eve.get('/developers/me').expect(401);
    await post('/api/v1/login/email', { email, password: eve.password }).expect(401);
    await post('/api/v1/login/email', { email, password: PASSWORD }).expect(200);
  });

  // red when: signUpProven replaces suspended accounts, which ends the suspension
  it('is refused for an address whose account is suspended, verified or not', async () => {
    const email = randomEmail();
    await app.unverifiedDeveloper(email);
    await app.sql('UPDATE developer SET suspended_at = now() WHERE email = $1', [email]);
    const token = await invites(email, 2);
    expect((await post(PREVIEW, { token }).expect(200)).body).toMatchObject({ has_account: true });
    expect((await joins(token).expect(409)).body).toMatchObject({ error: 'already_exists' });
    expect(
      await app.sql('SELECT suspended_at IS NOT NULL AS suspended FROM developer WHERE email = $1', [email]),
    ).toEqual([{ suspended: true }]);
  });

  it('happens once, also by requests at the same time', async () => {
    const email = randomEmail();
    const token = await invites(email);
    const statuses = await Promise.all(Array.from({ length: 8 }, async () => (await joins(token)).status));
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    // 429: the queue for password hashes was full.
    expect(statuses.filter((status) => ![200, 400, 409, 429].includes(status))).toEqual([]);
    const accounts = await app.sql('SELECT id FROM developer WHERE email = $1', [email]);
    expect(accounts).toHaveLength(1);
  });

  it('keeps the invitation when the password is refused', async () => {
    const token = await invites(randomEmail());
    expect((await joins(token, { password: 'short' }).expect(400)).body).toMatchObject({ error: 'validation_error' });
    await joins(token).expect(200);
  });

  // red when: the controller lacks @SameSiteOnly: a page could log its visitor in to an account that it knows
  it('is rejected from a page of another site', async () => {
    const token = await invites(randomEmail());
    const headers = { 'Content-Type': 'application/json', Origin: 'https://evil.example' };
    const body = JSON.stringify({ token, password: PASSWORD });
    expect((await rawRequest(app.url + JOIN, { method: 'POST', headers, body })).status).toBe(403);
  });

  it('follows SIGN_UP', async () => {
    const closed = await TestApp.start({ beside: app, worker: false, environment: { SIGN_UP: 'closed' } });
    try {
      const token = await invites(randomEmail());
      const at = (path: string, body: object) => closed.anonymous.post(path).send(body);
      expect((await at(PREVIEW, { token }).expect(200)).body).toMatchObject({ may_sign_up: false });
      expect((await at(JOIN, { token, password: PASSWORD }).expect(400)).body).toMatchObject({
        error: 'operation_not_allowed',
        details: { reason: 'sign_up_rejected' },
      });
    } finally {
      await closed.stop();
    }
  });
});
