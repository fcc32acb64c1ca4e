import { generate } from 'otplib';
import { type Identity } from '#kernel/context/identity';
import { AccountOperationsService } from '#modules/developers';
import { Bearer, type Developer } from '../../../support/actors/actors';
import { TestApp } from '../../../support/app/test-app';

/**
 * The limits of an attacker with a stolen credential, the mails to the owner, and the ways in which the owner and the operator end the
 * attack.
 */
describe('an account', () => {
  let app: TestApp;
  let ann: Developer;
  let organizationId: string;
  beforeAll(async () => {
    app = await TestApp.start();
  });
  afterAll(() => app.stop());
  beforeEach(async () => {
    ann = await app.developer();
    organizationId = (await ann.createsOrganization()).id;
  });

  const logsIn = (more: object = {}) =>
    app.anonymous.post('/api/v1/login/email').send({ email: ann.email, password: ann.password, ...more });
  const createsPat = async (): Promise<Bearer> => {
    const draft = { name: 'https://evil.example', scopes: ['organization:read'] };
    const { body } = await ann.post(`/pats?organization_id=${organizationId}`, draft).expect(201);
    return app.ci((body as { token: string }).token);
  };
  const enables = async (): Promise<string[]> => {
    const { password } = ann;
    const { body } = await ann.post('/developers/me/mfa', { password }).expect(200);
    const { secret } = body as { secret: string };
    const code = await generate({ secret, epoch: Math.floor(app.clock.now().getTime() / 1000) });
    const confirmed = await ann.post('/developers/me/mfa/confirm', { password, code }).expect(200);
    return (confirmed.body as { recovery_codes: string[] }).recovery_codes;
  };
  const typesOf = async (): Promise<string[]> => {
    const text = `SELECT type FROM audit_event WHERE payload->>'developer_id' = $1 ORDER BY id`;
    return (await app.sql<{ type: string }>(text, [ann.id])).map(({ type }) => type);
  };

  // red when: enrolling or confirming takes an access token alone
  it('gets a second factor only with its password, and the owner of the account gets a mail', async () => {
    for (const [body, error] of [
      [{}, { error: 'validation_error' }],
      [{ password: 'a wrong pass phrase' }, { error: 'invalid_input', details: { reason: 'wrong_password' } }],
    ] as const) {
      expect((await ann.post('/developers/me/mfa', body).expect(400)).body).toMatchObject(error);
      const confirmation = { ...body, code: '000000' };
      expect((await ann.post('/developers/me/mfa/confirm', confirmation).expect(400)).body).toMatchObject(error);
    }
    const [recovery, next] = await enables();
    const on = await app.mailbox.latest(ann.email, 2);
    expect(on.subject).toBe('Agate: your second factor was switched on');
    expect(on.text).toContain('127.0.0.1');
    const { body } = await logsIn({ mfa_code: recovery }).expect(200);
    const session = new Bearer(app.url, (body as { token: string }).token);
    await session.delete('/developers/me/mfa').send({ password: ann.password, code: next }).expect(204);
    expect((await app.mailbox.latest(ann.email, 3)).subject).toBe('Agate: your second factor was switched off');
    expect(await typesOf()).toEqual(
      expect.arrayContaining(['developer.mfa_enrolled', 'developer.mfa_enabled', 'developer.mfa_disabled']),
    );
  });

  it('mails its owner when a personal access token is created, without the name that the creator chose', async () => {
    const pat = await createsPat();
    const mail = await app.mailbox.latest(ann.email, 2);
    expect(mail.subject).toBe('Agate: a personal access token was created');
    expect(mail.text).toContain(pat.token.slice(-4));
    expect(mail.text).toContain('organization:read');
    expect(mail.text).not.toMatch(/evil/);
    expect(mail.text).not.toContain(pat.token);
  });

  describe('whose password is reset', () => {
    const resets = async (more: object, form: boolean): Promise<void> => {
      await app.anonymous.post('/api/v1/developers/reset_password_request').send({ email: ann.email }).expect(204);
      const link = await app.mailbox.link(ann.email, 3);
      const page = await app.anonymous.get(link.pathname + link.search).expect(200);
      expect(page.text).toContain('<input type="checkbox" name="revoke_pats" value="true">');
      const body = { token: link.searchParams.get('token'), new_password: 'another good phrase', ...more };
      const post = app.anonymous.post('/api/v1/developers/reset_password');
      await (form ? post.type('form').send(body).expect(200) : post.send(body).expect(204));
    };

    // red when: the reset ignores the field
    it.each([
      ['revokes', { revoke_pats: true }, false, 401],
      ['revokes, in the form,', { revoke_pats: 'true' }, true, 401],
      ['keeps', { revoke_pats: false }, false, 200],
      ['keeps by default', {}, true, 200],
    ])('%s its personal access tokens', async (_does, more, form, status) => {
      const pat = await createsPat();
      await resets(more, form);
      await pat.get('/organizations').expect(status);
      const events = await typesOf();
      expect(events.filter((type) => type === 'personal_access_token.revoked')).toHaveLength(status === 401 ? 1 : 0);
    });
  });

  describe('in the hands of an operator', () => {
    const operations = () => app.nest.get(AccountOperationsService, { strict: false });
    const operator = () => ({ ...app.systemContext, identity: { kind: 'operator', name: 'root' } satisfies Identity });

    // red when: a credential is accepted although the account is suspended, or sessions come back with the end of the suspension
    it('rejects logins, sessions and personal access tokens while it is suspended', async () => {
      const pat = await createsPat();
      await operations().suspend(operator(), ann.id);
      await expect(operations().suspend(operator(), ann.id)).rejects.toMatchObject({
        errorCase: 'operation_not_allowed',
      });
      expect((await logsIn().expect(401)).body).toMatchObject({
        error: 'unauthorized',
        details: { reason: 'account_suspended' },
      });
      // Only the owner of the password learns of the suspension.
      expect((await logsIn({ password: 'a wrong pass phrase' }).expect(401)).body).not.toHaveProperty('details.reason');
      await ann.get('/developers/me').expect(401);
      await pat.get('/organizations').expect(401);
      await app.anonymous.post('/api/v1/login/refresh').send({ refresh_token: ann.refreshToken }).expect(401);

      await operations().unsuspend(operator(), ann.id);
      await pat.get('/organizations').expect(200);
      await ann.get('/developers/me').expect(401);
      await app.anonymous.post('/api/v1/login/refresh').send({ refresh_token: ann.refreshToken }).expect(401);
      await logsIn().expect(200);
      expect(await typesOf()).toEqual(expect.arrayContaining(['developer.suspended', 'developer.unsuspended']));
    });

    it('loses its second factor and sessions by a reset, and its owner gets a mail', async () => {
      await enables();
      await logsIn().expect(401);
      await operations().resetSecondFactor(operator(), ann.id);
      await logsIn().expect(200);
      expect((await app.mailbox.latest(ann.email, 3)).subject).toBe('Agate: your second factor was reset');
      const again = operations().resetSecondFactor(operator(), ann.id);
      await expect(again).rejects.toMatchObject({ errorCase: 'operation_not_allowed' });
    });

    it('loses its sessions, but not its personal access tokens, by a sign-out', async () => {
      const pat = await createsPat();
      await operations().signOut(operator(), ann.id);
      await ann.get('/developers/me').expect(401);
      await pat.get('/organizations').expect(200);
    });
  });
});
