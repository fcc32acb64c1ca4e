import { generate } from 'otplib';
import { type Identity } from '#kernel/context/identity';
import { AccountOperationsService } from '#modules/developers';
import {
  type Bearer,
  Developer,
  type OrganizationRef,
  type ProjectRef,
  randomEmail,
  scope,
} from '../../../support/actors/actors';
import { ResumableClient } from '../../../support/actors/resumable-client';
import { TestApp } from '../../../support/app/test-app';

const NEW_PASSWORD = 'another good phrase';
const FILE = { bytes: Buffer.from('the bytes of an app'), fileName: 'app.dmg' };
const DESKTOP = { platform: 'macos', version: '1.0' };

interface Owner {
  readonly ann: Developer;
  /** Another session of the developer. */
  readonly other: Bearer;
  readonly organization: OrganizationRef;
  readonly project: ProjectRef;
}

/** Tries to use a credential. */
type Use = () => Promise<boolean>;

/**
 * Credentials in the making, which a session starts and which become usable or are used later, against each way in which the session ends
 * (docs/security.md). A kind that survives an end does so for the reason that is written beside it.
 */
describe('a credential in the making', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await TestApp.start();
  });
  afterAll(() => app.stop());

  const post = (path: string, body: object) => app.anonymous.post(`/api/v1${path}`).send(body);
  const mailedToken = async (email: string, count?: number): Promise<string> =>
    (await app.mailbox.link(email, count)).searchParams.get('token')!;
  const owner = async (): Promise<Owner> => {
    const ann = await app.developer();
    const other = await Developer.logIn(app.url, ann.email, ann.password);
    const organization = await ann.createsOrganization();
    return { ann, other, organization, project: await ann.createsProject(organization) };
  };
  const codeOf = (secret: string): Promise<string> =>
    generate({ secret, epoch: Math.floor(app.clock.now().getTime() / 1000) });
  const enables = async (ann: Bearer, password: string): Promise<string[]> => {
    const { body } = await ann.post('/developers/me/mfa', { password }).expect(200);
    const code = await codeOf((body as { secret: string }).secret);
    const confirmed = await ann.post('/developers/me/mfa/confirm', { password, code }).expect(200);
    return (confirmed.body as { recovery_codes: string[] }).recovery_codes;
  };
  const operations = () => app.nest.get(AccountOperationsService, { strict: false });
  const operator = () => ({ ...app.systemContext, identity: { kind: 'operator', name: 'root' } satisfies Identity });
  const currentSession = async (bearer: Bearer): Promise<string> => {
    const { body } = await bearer.get('/developers/me/sessions').expect(200);
    return (body as { items: { id: string; current: boolean }[] }).items.find(({ current }) => current)!.id;
  };

  const KINDS: Readonly<Record<string, (owner: Owner) => Promise<Use>>> = {
    'device login': async ({ ann, organization }) => {
      const { body } = await post('/login/device', { host: 'laptop', scopes: ['builds:read'] }).expect(200);
      const { device_code, user_code } = body as { device_code: string; user_code: string };
      await ann.post(`/login/device/confirm?organization_id=${organization.id}`, { user_code }).expect(204);
      return async () => (await post('/login/device/token', { device_code })).status === 200;
    },
    'refresh token': ({ ann }) =>
      Promise.resolve(async () => (await post('/login/refresh', { refresh_token: ann.refreshToken })).status === 200),
    'password reset link': async ({ ann }) => {
      await post('/developers/reset_password_request', { email: ann.email }).expect(204);
      const { pathname, search } = await app.mailbox.link(ann.email, 2);
      // The page has a form as long as the link works.
      return async () => (await app.anonymous.get(pathname + search)).status === 200;
    },
    invitation: async ({ ann, organization }) => {
      const bob = await app.developer();
      await ann
        .post(`/organizations/${organization.id}/invitations`, { email: bob.email, roles: ['READ'] })
        .expect(201);
      const token = await mailedToken(bob.email, 2);
      return async () => (await bob.post('/organizations/invitations/accept', { token })).ok;
    },
    'part URL': async ({ ann, project }) => {
      const upload = await ResumableClient.start(ann, project, FILE, DESKTOP, 'service');
      const [url] = await upload.urls(1);
      return async () => (await upload.put(url!, FILE.bytes)).ok;
    },
    'download ticket': async ({ ann, project }) => {
      const build = await ann.uploads(project, FILE, DESKTOP);
      const { body } = await ann.post(`/builds/${build.id}/download-url?${scope(project)}`).expect(200);
      const { pathname } = new URL((body as { url: string }).url);
      return async () => (await fetch(app.url + pathname)).ok;
    },
    // Last, because its use ends the link of a password reset.
    'e-mail change link': async ({ ann }) => {
      const email = randomEmail();
      await ann.post('/developers/me/email', { new_email: email, password: ann.password }).expect(204);
      const link = await app.mailbox.link(email);
      const token = link.searchParams.get('token');
      return async () => (await app.anonymous.post(link.pathname).send({ token })).status === 204;
    },
  };

  const ENDS: Readonly<Record<string, (owner: Owner) => Promise<unknown>>> = {
    'a logout': ({ ann }) => ann.post('/login/logout', {}).expect(204),
    'a logout of this session': ({ ann }) => ann.post('/login/logout', { only_this_session: true }).expect(204),
    'its end by another session': async ({ ann, other }) =>
      other.delete(`/developers/me/sessions/${await currentSession(ann)}`).expect(204),
    'the end of all other sessions': ({ other }) => other.delete('/developers/me/sessions').expect(204),
    'a reused refresh token': async ({ ann }) => {
      const reused = { refresh_token: ann.refreshToken };
      const { body } = await post('/login/refresh', reused).expect(200);
      ann.refreshToken = (body as { refresh_token: string }).refresh_token;
      await app.clock.advance({ seconds: 11 });
      await post('/login/refresh', reused).expect(401);
    },
    'a new password': ({ ann }) =>
      ann.post('/developers/me/password', { current_password: ann.password, new_password: NEW_PASSWORD }).expect(204),
    'a password reset': async ({ ann }) => {
      await post('/developers/reset_password_request', { email: ann.email }).expect(204);
      const token = await mailedToken(ann.email, (await app.mailbox.all(ann.email)).length + 1);
      await post('/developers/reset_password', { token, new_password: NEW_PASSWORD }).expect(204);
    },
    'a new e-mail address': async ({ other, ann }) => {
      const email = randomEmail();
      await other.post('/developers/me/email', { new_email: email, password: ann.password }).expect(204);
      const link = await app.mailbox.link(email);
      await app.anonymous
        .post(link.pathname)
        .send({ token: link.searchParams.get('token') })
        .expect(204);
    },
    'a second factor that is enabled': ({ other, ann }) => enables(other, ann.password),
    'a suspension': async ({ ann }) => {
      await operations().suspend(operator(), ann.id);
      await operations().unsuspend(operator(), ann.id);
    },
    'a logout by an operator': ({ ann }) => operations().signOut(operator(), ann.id),
  };

  const NEW_CREDENTIALS = ['a new password', 'a password reset', 'a new e-mail address'];
  /** The ends after which a kind works no more, and the reason why it survives the others. */
  const ENDED_BY: Readonly<Record<string, { readonly ends: readonly string[]; readonly survives?: string }>> = {
    'device login': { ends: Object.keys(ENDS) },
    'refresh token': { ends: Object.keys(ENDS) },
    'password reset link': { ends: NEW_CREDENTIALS, survives: 'the mailbox asks for it, without a session' },
    'e-mail change link': { ends: NEW_CREDENTIALS, survives: 'its request needs the password' },
    invitation: { ends: [], survives: 'it belongs to the organization, which lists it and can withdraw it' },
    'part URL': { ends: [], survives: 'it writes bytes that only a credential can make a build; half an hour' },
    'download ticket': { ends: [], survives: 'it is one build, paid when it was created; half an hour' },
  };

  // red when: `handOut` does not ask for the session
  it.each(Object.keys(ENDS))('is usable after %s only if the list says so', async (end) => {
    const own = await owner();
    const uses: [string, Use][] = [];
    for (const [kind, create] of Object.entries(KINDS)) uses.push([kind, await create(own)]);
    await ENDS[end]!(own);
    const usable: string[] = [];
    for (const [kind, use] of uses) if (await use()) usable.push(kind);
    expect(usable).toEqual(Object.keys(KINDS).filter((kind) => !ENDED_BY[kind]!.ends.includes(end)));
  });

  it('is usable while its session lasts', async () => {
    const own = await owner();
    for (const create of Object.values(KINDS)) expect(await (await create(own))()).toBe(true);
  });

  // red when: `lockSessionHolder` does not lock
  it('leaves no token when it is a device login, and a reset that revokes tokens runs in parallel', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { ann, organization } = await owner();
      const { body } = await post('/login/device', { host: 'laptop', scopes: ['organization:read'] }).expect(200);
      const { device_code, user_code } = body as { device_code: string; user_code: string };
      await ann.post(`/login/device/confirm?organization_id=${organization.id}`, { user_code }).expect(204);
      await post('/developers/reset_password_request', { email: ann.email }).expect(204);
      const token = await mailedToken(ann.email, 2);
      const reset = { token, new_password: NEW_PASSWORD, revoke_pats: true };
      const [taken] = await Promise.all([
        post('/login/device/token', { device_code }),
        post('/developers/reset_password', reset).expect(204),
      ]);
      if (taken.status !== 200) expect(taken.body).toMatchObject({ details: { reason: 'access_denied' } });
      else
        await app
          .ci((taken.body as { token: string }).token)
          .get('/organizations')
          .expect(401);
    }
  });
});
