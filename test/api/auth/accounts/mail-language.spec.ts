import { randomEmail } from '../../../support/actors/actors';
import { TestApp } from '../../../support/app/test-app';

describe('the language of a developer', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await TestApp.start();
  });
  afterAll(() => app.stop());

  // red when: a mail is rendered in a fixed language
  it('is the language of the mails to their address: account, invitation, password', async () => {
    const ann = await app.developer();
    const bob = await app.developer();
    expect((await ann.get('/developers/me').expect(200)).body).toMatchObject({ language: 'en' });
    const { body } = await ann.patch('/developers/me', { language: 'de' }).expect(200);
    expect(body).toMatchObject({ language: 'de', name: null });
    expect((await ann.get('/developers/me').expect(200)).body).toMatchObject({ language: 'de' });

    const { id } = await bob.createsOrganization('Acme');
    for (const email of [ann.email, 'new@example.com'])
      await bob.post(`/organizations/${id}/invitations`, { email, roles: ['MEMBER'] }).expect(201);
    const invitation = await app.mailbox.latest(ann.email, 2);
    expect(invitation.subject).toBe('Einladung zu Acme bei Agate');
    expect(invitation.html).toContain('<html lang="de">');
    expect((await app.mailbox.latest('new@example.com')).subject).toBe('Join Acme on Agate');

    await app.anonymous.post('/api/v1/developers/reset_password_request').send({ email: ann.email }).expect(204);
    expect((await app.mailbox.latest(ann.email, 3)).subject).toBe('Wählen Sie ein neues Passwort für Agate');
  });

  it('is taken from Accept-Language at sign-up', async () => {
    const email = randomEmail();
    const request = app.anonymous.post('/api/v1/developers').set('Accept-Language', 'fr, de-CH;q=0.9, en;q=0.1');
    await request.send({ email, password: 'a long enough pass phrase' }).expect(202);
    expect((await app.mailbox.latest(email)).subject).toBe('Bestätigen Sie Ihre E-Mail-Adresse für Agate');
  });

  it.each(['fr', 'DE', '', null])('cannot be %j', async (language) => {
    const ann = await app.developer();
    await ann.patch('/developers/me', { language }).expect(400);
  });
});
