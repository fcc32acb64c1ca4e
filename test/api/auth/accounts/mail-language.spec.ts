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

    await bob.patch('/developers/me', { name: 'Bob Berg' }).expect(200);
    const { id } = await bob.createsOrganization('Acme');
    for (const email of [ann.email, 'new@example.com'])
      await bob.post(`/organizations/${id}/invitations`, { email, roles: ['MANAGER', 'MEMBER'] }).expect(201);
    const invitation = await app.mailbox.latest(ann.email, 2);
    expect(invitation.subject).toBe('Bob Berg lädt Sie zu Acme ein');
    expect(invitation.html).toContain('<html lang="de">');
    expect(invitation.text).toContain('Ihre Rolle: Verwaltung und Mitglied.');
    const english = await app.mailbox.latest('new@example.com');
    expect(english.subject).toBe('Bob Berg invites you to Acme');
    expect(english.html).toContain('>Bob Berg invites you to Acme as Manager and Member</h1>');

    await app.anonymous.post('/api/v1/developers/reset_password_request').send({ email: ann.email }).expect(204);
    expect((await app.mailbox.latest(ann.email, 3)).subject).toBe('Wählen Sie ein neues Passwort für Agate');
  });

  // red when: the name of the inviter is a message to a stranger
  it('names an inviter with an unusual name by the address', async () => {
    const eve = await app.developer();
    await eve.patch('/developers/me', { name: 'You won! Visit evil.example' }).expect(200);
    const { id } = await eve.createsOrganization('Acme');
    const email = randomEmail();
    await eve.post(`/organizations/${id}/invitations`, { email, roles: ['READ'] }).expect(201);
    const mail = await app.mailbox.latest(email);
    expect(mail.subject).toBe(`${eve.email} invites you to Acme`);
    expect(`${mail.text}${mail.html}`).not.toContain('evil');
  });

  // red when: the name of the organization is a link in a mail to a stranger
  it('does not name an organization with the characters of a link', async () => {
    const eve = await app.developer();
    const email = randomEmail();
    for (const [name, shown] of [
      ['Müller & Söhne GmbH (EU)', 'Müller & Söhne GmbH (EU)'],
      ['See evil.example', 'an organization'],
    ] as const) {
      const { id } = await eve.createsOrganization(name);
      await eve.post(`/organizations/${id}/invitations`, { email, roles: ['READ'] }).expect(201);
      const count = name === shown ? 1 : 2;
      const mail = await app.mailbox.latest(email, count);
      expect(mail.subject).toBe(`${eve.email} invites you to ${shown}`);
      expect(`${mail.text}${mail.html}`).not.toContain('evil');
    }
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
