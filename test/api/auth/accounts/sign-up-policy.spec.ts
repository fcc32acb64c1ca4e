import { loadConfig } from '#infra/config/load-config';
import { OperatorCommands } from '#modules/operators';
import { Developer, randomEmail } from '../../../support/actors/actors';
import { verifiedDeveloper } from '../../../support/actors/tenant';
import { TestApp } from '../../../support/app/test-app';

describe('SIGN_UP', () => {
  let app: TestApp;
  /** Processes of the same installation with another setting. */
  let others: Record<'invited' | 'closed' | 'domains', TestApp>;

  beforeAll(async () => {
    app = await TestApp.start();
    const start = (value: string) => TestApp.start({ beside: app, worker: false, environment: { SIGN_UP: value } });
    others = {
      invited: await start('invited'),
      closed: await start('closed'),
      domains: await start('corp.example, bücher.example'),
    };
  });
  afterAll(async () => {
    for (const other of Object.values(others)) await other.stop();
    await app.stop();
  });

  const signsUp = (on: TestApp, email: string) =>
    on.anonymous.post('/api/v1/developers').send({ email, password: 'a long pass phrase' });
  const hasAccount = async (email: string): Promise<boolean> =>
    (await app.sql('SELECT FROM developer WHERE email_key = lower($1)', [email])).length === 1;

  // red when: a sign-up is not checked, or the response differs from that of a success
  it.each(['invited', 'closed', 'domains'] as const)(
    '%s gives strangers the same response, no account and no mail',
    async (mode) => {
      const [stranger, known] = [randomEmail(), (await verifiedDeveloper(app)).email];
      const refused = await signsUp(others[mode], stranger).expect(202);
      const existing = await signsUp(others[mode], known).expect(202);
      const accepted = await signsUp(app, randomEmail()).expect(202);
      expect([refused.body, existing.body]).toEqual([accepted.body, accepted.body]);
      const names = ({ headers }: typeof refused) => Object.keys(headers).sort();
      expect(names(refused)).toEqual(names(accepted));
      await app.runsJob('jobs.prune');
      expect(await hasAccount(stranger)).toBe(false);
      expect(await app.mailbox.all(stranger)).toEqual([]);
      expect((await app.mailbox.latest(known)).subject).toContain('already have');
    },
  );

  it('invited admits an address while an organization invites it', async () => {
    const ann = await verifiedDeveloper(app);
    const organization = await ann.createsOrganization();
    const [guest, late] = [randomEmail(), randomEmail()];
    const invites = (email: string) =>
      ann.post(`/organizations/${organization.id}/invitations`, { email, roles: ['MEMBER'] });
    await invites(guest).expect(201);
    await invites(late).expect(201);
    await app.sql(`UPDATE organization_invitation SET expires_at = now() - interval '1 second' WHERE email = $1`, [
      late,
    ]);
    await signsUp(others.invited, guest.toUpperCase()).expect(202);
    await signsUp(others.invited, late).expect(202);
    expect([await hasAccount(guest), await hasAccount(late)]).toEqual([true, false]);
  });

  it('as a list of domains admits their addresses, and not those of other or longer domains', async () => {
    const admitted = ['ann@corp.example', 'ann@CORP.example', 'bob@xn--bcher-kva.example'];
    const refused = [
      'ann@evil.corp.example',
      'ann@evilcorp.example',
      'ann@corp.example.evil',
      'corp.example@evil.example',
    ];
    for (const email of [...admitted, ...refused]) await signsUp(others.domains, email).expect(202);
    expect(await Promise.all(admitted.map(hasAccount))).toEqual([true, true, true]);
    expect(await Promise.all(refused.map(hasAccount))).toEqual([false, false, false, false]);
  });

  it('closed lets an operator create an account, whose owner chooses the password and can log in', async () => {
    const email = randomEmail();
    const command = others.closed.nest.get(OperatorCommands).all.find(({ name }) => name === 'account invite')!;
    const run = () => command.run(app.systemContext, { email }, () => undefined);
    await run();
    await expect(run()).rejects.toThrow('already has an account');
    const link = await app.mailbox.link(email);
    const token = link.searchParams.get('token');
    const password = 'chosen by its owner';
    await app.anonymous.post('/api/v1/developers/reset_password').send({ token, new_password: password }).expect(204);
    const owner = await Developer.logIn(others.closed.url, email, password);
    expect((await owner.get('/developers/me').expect(200)).body).toMatchObject({ email, email_verified: true });
    await owner.createsOrganization();
  });

  it('must be set explicitly in production, to a known value or to domains', () => {
    const production = { NODE_ENV: 'production', BASE_URL: 'https://agate.example', CAPTCHA_PROVIDER: 'none' };
    expect(() => loadConfig(production)).toThrow('SIGN_UP');
    for (const SIGN_UP of ['open', 'invited', 'closed', 'corp.example', 'a.example, b.example'])
      expect(() => loadConfig({ ...production, SIGN_UP })).not.toThrow();
    for (const SIGN_UP of ['opened', 'open,closed', 'corp.example,', '@corp.example,closed'])
      expect(() => loadConfig({ SIGN_UP })).toThrow('SIGN_UP');
  });
});
