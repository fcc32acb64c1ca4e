import { type Developer, randomEmail, scope } from '../../support/actors/actors';
import { createTenant, type Tenant } from '../../support/actors/tenant';
import { TestApp } from '../../support/app/test-app';
import { apk, ipa } from '../../support/artifacts/valid-artifacts';

describe("a tester's choice of platforms", () => {
  let app: TestApp;
  let tenant: Tenant;
  let ann: Developer;
  let query: string;

  beforeAll(async () => {
    app = await TestApp.start({ environment: { INSTALL_BASE_URL: 'https://apps.example.org/get' } });
    tenant = await createTenant(app);
    ann = tenant.admin;
    query = scope(tenant.project);
    await ann.uploads(tenant.project, { bytes: ipa(), fileName: 'a.ipa' });
    await ann.uploads(tenant.project, { bytes: apk(), fileName: 'a.apk' });
  });
  afterAll(() => app.stop());

  const invited = async (channelId?: string): Promise<{ id: string; token: string }> => {
    const email = randomEmail();
    const { body } = await ann.post(`/testers?${query}`, { email }).expect(201);
    const { id } = body as { id: string };
    await ann.post(`/testers/${id}/invite?${query}${channelId ? `&channel_id=${channelId}` : ''}`).expect(204);
    return { id, token: (await app.mailbox.link(email)).pathname.split('/').at(-1)! };
  };
  const subscribed = async (): Promise<{ id: string; token: string }> => {
    const tester = await invited(tenant.channel.id);
    await ann.request('put', `/testers/${tester.id}/subscriptions/${tenant.channel.id}?${query}`).expect(200);
    return tester;
  };
  const page = async (token: string, lang = 'en'): Promise<string> =>
    (await app.anonymous.get(`/install/${token}?lang=${lang}`).set('Accept', 'text/html').expect(200)).text;
  const ticked = (text: string): string[] =>
    [...text.matchAll(/name="platforms" value="(\w+)" checked/g)].map(([, platform]) => platform!);
  const submits = (token: string, body: string, lang = 'en') =>
    app.anonymous
      .post(`/install/${token}/platforms?lang=${lang}`)
      .type('form')
      .set('Accept', 'text/html')
      .send(body)
      .expect(200);
  const ALL = ['ios', 'android'];

  // red when: a project without apps for Windows asks about Windows
  it('is every platform of the project at first, is shown on the page, and can be changed and undone without script', async () => {
    const { token } = await subscribed();
    expect(ticked(await page(token))).toEqual(ALL);
    const { text } = await submits(token, 'platforms=ios&platforms=macos');
    expect(text).toContain('for: iOS and macOS.');
    expect(ticked(await page(token))).toEqual(['ios', 'macos']);
    expect(await page(token)).toContain('value="android">');
    expect(await page(token)).not.toContain('windows');
    const action = /<form method="post" action="([^"]+)"/.exec(text)![1];
    expect(action).toBe(`/get/install/${token}/platforms?lang=en`);
    const undo = [...text.matchAll(/type="hidden" name="(platforms)" value="(\w+)"/g)].map(
      ([, name, value]) => `${name}=${value}`,
    );
    await submits(token, undo.join('&'));
    expect(ticked(await page(token))).toEqual(ALL);
  });

  // red when: a tester who ticks all boxes gets no mails about a platform that is added later
  it('stands for all platforms, also later ones, when all that are offered are ticked', async () => {
    const { id, token } = await subscribed();
    const { text } = await submits(token, 'platforms=ios&platforms=android&offered=ios&offered=android');
    expect(text).toContain('You get mails about all new versions.');
    expect(await app.sql('SELECT mail_platforms AS chosen FROM tester WHERE id = $1', [id])).toEqual([{ chosen: [] }]);
    await submits(token, 'platforms=ios&offered=ios&offered=android');
    expect(ticked(await page(token))).toEqual(['ios']);
  });

  it('is every platform when none is ticked', async () => {
    const { token } = await subscribed();
    await submits(token, 'platforms=ios');
    await submits(token, '');
    expect(ticked(await page(token))).toEqual(ALL);
  });

  it('is shown in the language of the page', async () => {
    const { token } = await subscribed();
    expect(await page(token, 'de')).toContain('Auswahl speichern');
    expect((await submits(token, 'platforms=android', 'de')).text).toContain('für: Android.');
  });

  it('is shown to testers only while they get mails, and on no other link', async () => {
    const { token } = await invited(tenant.channel.id);
    expect(await page(token)).not.toContain('name="platforms"');
    const link = new URL(tenant.channel.install_url).pathname.split('/').at(-1)!;
    expect(await page(link)).not.toContain('name="platforms"');
    await app.anonymous
      .post(`/install/${link}/platforms`)
      .send({ platforms: ['ios'] })
      .expect(404);
  });

  it('is recorded once in the audit feed, by id, and refuses unknown platforms', async () => {
    const { id, token } = await subscribed();
    const sends = (body: object) => app.anonymous.post(`/install/${token}/platforms`).send(body);
    await sends({ platforms: ['android', 'ios'] }).expect(204);
    await sends({ platforms: ['ios', 'android'] }).expect(204);
    await sends({ platforms: ['amiga'] }).expect(400);
    const events = await app.sql(
      `SELECT payload->'platforms' AS platforms FROM audit_event
       WHERE type = 'tester.platforms_chosen' AND payload->>'tester_id' = $1`,
      [id],
    );
    expect(events).toEqual([{ platforms: ['ios', 'android'] }]);
  });
});
