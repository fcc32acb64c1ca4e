import { randomBytes } from 'node:crypto';
import { type Email } from 'postal-mime';
import { type BuildJson, Developer, randomEmail, scope } from '../../support/actors/actors';
import { ipa } from '../../support/artifacts/valid-artifacts';
import { createTenant, type Tenant } from '../../support/actors/tenant';
import { TestApp } from '../../support/app/test-app';

const BASE = 'https://apps.example.org/get';
const NOTES = 'Try <script>alert(1)</script>\r\n& the "new" login';

interface TesterJson {
  readonly id: string;
  readonly email: string;
}

/** The links of testers: mailed, used once, undone (contract §9; reliability C3, C5; domain §9.12). */
describe('links of testers', () => {
  let app: TestApp;
  let beside: TestApp;
  let tenant: Tenant;
  let ann: Developer;
  let query: string;
  let channelId: string;

  beforeAll(async () => {
    app = await TestApp.start({ environment: { INSTALL_BASE_URL: BASE } });
    beside = await TestApp.start({ beside: app, worker: false, environment: { INSTALL_BASE_URL: BASE } });
    tenant = await createTenant(app);
    ann = tenant.admin;
    query = scope(tenant.project);
    channelId = tenant.channel.id;
  });
  afterAll(async () => {
    await beside.stop();
    await app.stop();
  });

  const addsTester = async (email = randomEmail()): Promise<TesterJson> =>
    (await ann.post(`/testers?${query}`, { email, name: 'Tess' }).expect(201)).body as TesterJson;

  const invites = (tester: TesterJson, target: { channel?: string; build?: string } = {}) =>
    ann.post(
      `/testers/${tester.id}/invite?${query}${target.channel ? `&channel_id=${target.channel}` : ''}`,
      target.build ? { build_id: target.build } : {},
    );

  /** The token of the page, and the one of the way out, of the newest mail. */
  const tokensOf = (mail: Email): { page: string; out: string } => {
    const [page, out] = [...(mail.text ?? '').matchAll(/\/install\/([\w-]{43})/g)].map(([, token]) => token!);
    return { page: page!, out: out! };
  };
  const invited = async (target: { channel?: string; build?: string } = { channel: channelId }) => {
    const tester = await addsTester();
    await invites(tester, target).expect(204);
    return { tester, ...tokensOf(await app.mailbox.latest(tester.email)) };
  };
  const acts = (token: string, action: string, body?: object) =>
    app.anonymous.post(`/install/${token}/${action}`).send(body);
  const clicks = (token: string, action: string) =>
    app.anonymous.post(`/install/${token}/${action}`).type('form').set('Accept', 'text/html').send('');
  const oneClick = (token: string) =>
    app.anonymous.post(`/install/${token}/unsubscribe`).type('form').send('List-Unsubscribe=One-Click');
  const stateOf = async (tester: TesterJson): Promise<{ declined: boolean; state: string | undefined }> => {
    const { body } = await ann.get(`/testers/${tester.id}?${query}`).expect(200);
    const { declined, subscriptions } = body as { declined: boolean; subscriptions: { state: string }[] };
    return { declined, state: subscriptions[0]?.state };
  };
  const puts = async (tester: TesterJson): Promise<string> => {
    const path = `/testers/${tester.id}/subscriptions/${channelId}?${query}`;
    return ((await ann.request('put', path).expect(200)).body as { state: string }).state;
  };
  const countEvents = async (type: string, testerId: string): Promise<number> =>
    (await app.sql(`SELECT FROM audit_event WHERE type = $1 AND payload->>'tester_id' = $2`, [type, testerId])).length;

  describe('the mail', () => {
    let build: BuildJson;
    let mail: Email;
    let tester: TesterJson;
    beforeAll(async () => {
      const file = { bytes: ipa({ info: { CFBundleDisplayName: 'Café <b>' } }), fileName: 'a.ipa' };
      build = await ann.uploads(tenant.project, file, { notes: NOTES });
      tester = await addsTester();
      await app.anonymous.get('/').set('Host', 'evil.example');
      await invites(tester, { build: build.id }).set('X-Forwarded-Host', 'evil.example').expect(204);
      mail = await app.mailbox.latest(tester.email);
    });

    it('names app, version and notes, escaped, in HTML and in text', () => {
      expect(mail.subject).toContain(build.version);
      for (const body of [mail.html!, mail.text!]) expect(body).toContain(build.version);
      expect(mail.html).toContain('Café &lt;b&gt;');
      expect(mail.html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
      expect(mail.html).not.toContain('<script');
      expect(mail.text).toContain('Try <script>alert(1)</script>');
      expect(mail.html).toContain('prefers-color-scheme: dark');
    });

    it('has links of INSTALL_BASE_URL only', () => {
      const links = [...`${mail.html}${mail.text}`.matchAll(/https?:\/\/[^\s"<>]+/g)].map(([link]) => link);
      expect(links.length).toBeGreaterThan(4);
      // red when: a link is built from a header of the request
      for (const link of links) expect(link).toMatch(/^https:\/\/apps\.example\.org\/get\/install\/[\w-]{43}/);
    });

    it('shows the link as a QR code, a PNG that it brings along', () => {
      expect(mail.html).toContain('src="cid:install-link"');
      const [image] = mail.attachments;
      expect(image).toMatchObject({ mimeType: 'image/png', contentId: '<install-link>', disposition: 'inline' });
      expect(
        Buffer.from(image!.content as ArrayBuffer)
          .subarray(1, 4)
          .toString(),
      ).toBe('PNG');
    });

    it('can be ended with one click (RFC 8058)', () => {
      const header = (name: string) => mail.headers.find(({ key }) => key === name)?.value;
      expect(header('list-unsubscribe')).toBe(`<${BASE}/install/${tokensOf(mail).out}/unsubscribe>`);
      expect(header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
    });

    it('holds tokens that the database does not (C2)', async () => {
      const dump = JSON.stringify(await app.sql('SELECT * FROM invite'));
      for (const token of Object.values(tokensOf(mail))) {
        expect(dump).not.toContain(token);
        expect(dump).not.toContain(Buffer.from(token).toString('hex'));
      }
      const [{ count }] = (await app.sql<{ count: number }>(
        'SELECT count(*)::int AS count FROM invite WHERE tester_id = $1 AND sealed_token IS NULL',
        [tester.id],
      )) as [{ count: number }];
      expect(count).toBe(2);
    });

    it('is one for each request, with fresh tokens, and not sent without end', async () => {
      const { tester: tess, page } = await invited();
      await invites(tess, { channel: channelId }).expect(204);
      expect(tokensOf(await app.mailbox.latest(tess.email, 2)).page).not.toBe(page);
      const answers = [];
      for (let sent = 2; sent < 12; sent++) answers.push((await invites(tess)).status);
      expect(answers).toEqual([204, 204, 204, 204, 204, 204, 204, 204, 429, 429]);
      await app.sql(`UPDATE invite SET created_at = created_at - interval '61 minutes' WHERE tester_id = $1`, [
        tess.id,
      ]);
      await invites(tess).expect(204);
    });

    it('goes to one target', async () => {
      const body = (await invites(tester, { channel: channelId, build: build.id }).expect(400)).body as object;
      expect(body).toMatchObject({ error: 'invalid_input', details: { reason: 'two_targets' } });
      await invites(tester, { build: '019a9d5e-7c1a-7b3e-9c55-0c8f4a6b2d10' }).expect(404);
      await invites(tester, { channel: '019a9d5e-7c1a-7b3e-9c55-0c8f4a6b2d10' }).expect(404);
      await invites({ id: '019a9d5e-7c1a-7b3e-9c55-0c8f4a6b2d10', email: '' }).expect(404);
    });
  });

  describe('looking', () => {
    it('changes nothing, however often mail scanners look', async () => {
      const { tester, page, out } = await invited();
      for (let look = 0; look < 10; look++) {
        for (const path of [`/install/${page}`, `/install/${out}/unsubscribe`, `/install/${page}/subscribe`]) {
          await app.anonymous.head(path);
          await app.anonymous.get(path);
        }
      }
      // red when: a GET spends the token
      expect(await app.sql('SELECT FROM invite WHERE tester_id = $1 AND spent_at IS NOT NULL', [tester.id])).toEqual(
        [],
      );
      await acts(page, 'subscribe').expect(204);
      expect((await stateOf(tester)).state).toBe('subscribed');
    });

    it('shows a page with a button, in a page of ours', async () => {
      const { out } = await invited();
      const answer = await app.anonymous.get(`/install/${out}/unsubscribe`).set('Accept', 'text/html').expect(200);
      expect(answer.text).toContain(`action="/get/install/${out}/unsubscribe"`);
      expect(answer.headers).toMatchObject({ 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex, nofollow' });
    });
  });

  describe('using', () => {
    it.each(['subscribe', 'unsubscribe', 'decline'])('%s works once, also of fifty at once (C3)', async (action) => {
      const { tester, page } = await invited();
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          (index % 2 ? app : beside).anonymous.post(`/install/${page}/${action}`).send(),
        ),
      );
      // red when: the token is looked at before it is spent, instead of by the statement that spends it
      expect(answers.map(({ status }) => status).sort()).toEqual([204, ...Array.from({ length: 49 }, () => 409)]);
      const type = { subscribe: 'tester.subscribed', unsubscribe: 'tester.unsubscribed', decline: 'tester.declined' };
      expect(await countEvents(type[action as keyof typeof type], tester.id)).toBe(1);
    });

    it('again says so: a page to a browser, 409 to a program', async () => {
      const { tester, page } = await invited();
      expect((await clicks(page, 'subscribe').expect(200)).text).toContain('You are subscribed');
      expect((await clicks(page, 'unsubscribe').expect(200)).text).toContain('This is done already');
      expect((await acts(page, 'unsubscribe').expect(409)).body).toMatchObject({ error: 'already_exists' });
      expect((await stateOf(tester)).state).toBe('subscribed');
    });

    it('the way out works although the page was used, by one click, as often as they like', async () => {
      const { tester, page, out } = await invited();
      await acts(page, 'subscribe').expect(204);
      await oneClick(out).expect(200);
      await oneClick(out).expect(200);
      expect((await stateOf(tester)).state).toBe('suppressed');
      const form = `--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n`;
      const other = await invited();
      await app.anonymous
        .post(`/install/${other.out}/unsubscribe`)
        .set('Content-Type', 'multipart/form-data; boundary=x')
        .set('Origin', 'https://mail.example.com')
        .send(form)
        .expect(200);
      expect((await stateOf(other.tester)).state).toBe('suppressed');
    });

    it('the page of somebody who left brings them back', async () => {
      const { tester, page, out } = await invited();
      await acts(page, 'subscribe').expect(204);
      const { text } = await clicks(out, 'unsubscribe').expect(200);
      const [, back] = /action="\/get(\/install\/[\w-]{43}\/subscribe)"/.exec(text)!;
      await app.anonymous.post(back!).type('form').send('').expect(200);
      expect((await stateOf(tester)).state).toBe('subscribed');
    });

    it('leaving works however often, the way back is not given without end', async () => {
      const { tester, page, out } = await invited({});
      let way: string | undefined = page;
      let given = 2;
      for (; way !== undefined && given <= 30; given++) {
        const { text }: { text: string } = await clicks(way, 'unsubscribe').expect(200);
        expect(text).toContain('You no longer test');
        const ways = /\/install\/([\w-]{43})\/subscribe"/.exec(text);
        expect(text.includes('undo it here')).toBe(ways !== null);
        way = ways?.[1];
      }
      // red when: leaving makes a link whatever was given within the hour: each is another action that is recorded
      expect([way, given - 1]).toEqual([undefined, 20]);
      await app.sql(`UPDATE invite SET created_at = created_at - interval '61 minutes' WHERE tester_id = $1`, [
        tester.id,
      ]);
      expect((await clicks(out, 'decline').expect(200)).text).toMatch(/\/install\/[\w-]{43}\/subscribe"/);
    });

    it('is of a tester only', async () => {
      for (const url of [tenant.build.install_url, tenant.channel.install_url]) {
        const token = url.split('/').at(-1)!;
        for (const action of ['subscribe', 'unsubscribe', 'decline']) await acts(token, action).expect(404);
      }
    });

    it('takes no channel that they were never invited to', async () => {
      const { tester, page } = await invited({});
      await acts(page, 'subscribe', { channel_id: channelId }).expect(404);
      await acts(page, 'subscribe', { channel: channelId }).expect(400);
      await puts(tester);
      await acts(page, 'unsubscribe', { channel_id: channelId }).expect(204);
      expect(await stateOf(tester)).toEqual({ declined: false, state: 'suppressed' });
    });

    it('a thousand guesses find nothing (C5)', async () => {
      const statuses = new Set<number>();
      for (let round = 0; round < 10; round++) {
        const answers = await Promise.all(
          Array.from({ length: 100 }, () => acts(randomBytes(32).toString('base64url'), 'decline')),
        );
        for (const { status } of answers) statuses.add(status);
      }
      expect([...statuses]).toEqual([404]);
    });
  });

  describe('those who left', () => {
    // red when: IdField leaves an id as it was sent
    it.each([
      ['a channel', (id: string) => id],
      ['a channel, named in upper case,', (id: string) => id.toUpperCase()],
    ])('%s are not brought back by anybody else', async (_name, spelt) => {
      const channelId = spelt(tenant.channel.id);
      const { tester, page, out } = await invited();
      await acts(page, 'subscribe').expect(204);
      await oneClick(out).expect(200);
      // red when: the list is not asked
      expect(await puts(tester)).toBe('suppressed');
      const batch = await ann
        .post(`/testers/batch?${query}&channel_id=${channelId}`, { testers: [{ email: tester.email.toUpperCase() }] })
        .expect(200);
      expect(batch.body).toMatchObject({ created: 0, existing: 0, suppressed: 1, testers: [{ id: tester.id }] });
      expect((await invites(tester, { channel: channelId }).expect(400)).body).toMatchObject({
        error: 'operation_not_allowed',
        details: { reason: 'suppressed' },
      });
      await ann.delete(`/testers/${tester.id}?${query}`).expect(204);
      const imported = await ann
        .request('post', `/testers/import?${query}&channel_id=${channelId}`)
        .set('Content-Type', 'text/csv')
        .send(`email\n${tester.email}\nother.${tester.email}\n`)
        .expect(200);
      expect(imported.body).toMatchObject({
        created: 1,
        suppressed: 1,
        testers: [{ id: null, outcome: 'suppressed' }, { outcome: 'created' }],
      });
    });

    it('the project are not added again, and are written to by nobody', async () => {
      const { tester, page } = await invited();
      await puts(tester);
      await acts(page, 'decline').expect(204);
      expect(await stateOf(tester)).toEqual({ declined: true, state: undefined });
      expect(await puts(tester)).toBe('suppressed');
      await invites(tester).expect(400);
      await ann.delete(`/testers/${tester.id}?${query}`).expect(204);
      expect((await ann.post(`/testers?${query}`, { email: tester.email }).expect(400)).body).toMatchObject({
        error: 'operation_not_allowed',
        details: { reason: 'suppressed' },
      });
      // Another project is another matter.
      const elsewhere = scope(await ann.createsProject(tenant.organization));
      await ann.post(`/testers?${elsewhere}`, { email: tester.email }).expect(201);
    });

    it('come back by themselves', async () => {
      const { tester, page, out } = await invited();
      await acts(out, 'decline').expect(204);
      await acts(page, 'subscribe').expect(204);
      expect(await stateOf(tester)).toEqual({ declined: false, state: 'subscribed' });
      await invites(tester).expect(204);
    });

    it('are kept by a digest that no list of addresses finds', async () => {
      const { tester, out } = await invited();
      await oneClick(out).expect(200);
      const rows = await app.sql<{ address_digest: Buffer }>('SELECT address_digest FROM suppression');
      const { createHash } = await import('node:crypto');
      const plain = [tester.email, tester.email.toLowerCase()].map((email) =>
        createHash('sha256').update(email).digest('hex'),
      );
      for (const { address_digest: digest } of rows) expect(plain).not.toContain(digest.toString('hex'));
    });
  });

  describe('on their behalf', () => {
    it('subscriptions are made, listed and ended', async () => {
      const tester = await addsTester();
      expect(await puts(tester)).toBe('subscribed');
      expect(await puts(tester)).toBe('subscribed');
      expect(await countEvents('tester.subscribed', tester.id)).toBe(1);
      const { body } = await ann.get(`/testers?${query}&channel_id=${channelId}&email=${tester.email}`).expect(200);
      expect((body as { items: TesterJson[] }).items.map(({ id }) => id)).toEqual([tester.id]);
      const path = `/testers/${tester.id}/subscriptions/${channelId}?${query}`;
      await ann.delete(path).expect(204);
      await ann.delete(path).expect(404);
      expect(await puts(tester)).toBe('subscribed');
    });

    it('a channel with subscribers stays', async () => {
      const { body } = await ann.post(`/channels?${query}`, { name: 'Kept' }).expect(201);
      const { id } = body as { id: string };
      const tester = await addsTester();
      const path = `/testers/${tester.id}/subscriptions/${id}?${query}`;
      await ann.request('put', path).expect(200);
      expect((await ann.delete(`/channels/${id}?${query}`).expect(409)).body).toMatchObject({
        error: 'dependency_exists',
      });
      await ann.delete(path).expect(204);
      await ann.delete(`/channels/${id}?${query}`).expect(204);
    });
  });

  it('are gone with their tester, and the address with them', async () => {
    const email = `Erased.${randomBytes(6).toString('hex')}@example.com`;
    const tester = await addsTester(email);
    await puts(tester);
    await invites(tester, { channel: channelId }).expect(204);
    const { page, out } = tokensOf(await app.mailbox.latest(email));
    await acts(out, 'unsubscribe').expect(204);
    await ann.delete(`/testers/${tester.id}?${query}`).expect(204);
    for (const token of [page, out]) {
      await app.anonymous.get(`/install/${token}`).expect(404);
      await acts(token, 'subscribe').expect(404);
    }
    const tables = await app.sql<{ name: string }>(
      `SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
       WHERE table_type = 'BASE TABLE' AND table_schema IN ('public', 'graphile_worker')`,
    );
    for (const { name } of tables) {
      const rows = await app.sql(`SELECT FROM ${name} AS t WHERE to_jsonb(t)::text ILIKE $1`, [`%${email}%`]);
      expect([name, rows.length]).toEqual([name, 0]);
    }
  });

  // red when: a foreign key of `invite` does not cascade, or a job prunes links by their age or because they were used. Last: it
  // moves the clock.
  it('stay as long as what they open, used or not, whatever job runs; and their rows go with it', async () => {
    const project = await ann.createsProject(tenant.organization);
    const where = scope(project);
    const build = await ann.uploads(project, { bytes: ipa({}), fileName: 'a.ipa' });
    const [kept, replaced] = [await ann.createsChannel(project), await ann.createsChannel(project)];
    const { id, email } = (await ann.post(`/testers?${where}`, { email: randomEmail() }).expect(201))
      .body as TesterJson;
    const mailed: { page: string; out: string }[] = [];
    const mails = async (parent: string, body: object = {}): Promise<{ page: string; out: string }> => {
      await ann.post(`/testers/${id}/invite?${where}${parent}`, body).expect(204);
      const tokens = tokensOf(await app.mailbox.latest(email, mailed.length + 1));
      mailed.push(tokens);
      return tokens;
    };
    const ofBuild = await mails('', { build_id: build.id });
    const ofKept = await mails(`&channel_id=${kept.id}`);
    await mails(`&channel_id=${replaced.id}`);
    await mails('');
    for (const { page } of mailed) await acts(page, 'decline').expect(204);
    const tokenOf = (of: { install_url: string }): string => of.install_url.split('/').at(-1)!;
    const statuses = async (tokens: readonly string[]): Promise<number[]> =>
      Promise.all(tokens.map(async (token) => (await app.anonymous.get(`/install/${token}`)).status));
    const rows = async (): Promise<number> =>
      (await app.sql('SELECT FROM invite WHERE project_id = $1', [project.id])).length;

    await app.clock.advance({ days: 400 });
    const schedules = await app.sql<{ identifier: string }>(
      'SELECT identifier FROM graphile_worker._private_known_crontabs',
    );
    expect(schedules.length).toBeGreaterThan(10);
    for (const { identifier } of schedules) await app.runsJob(identifier);
    const all = [...mailed.flatMap(({ page, out }) => [page, out]), ...[build, kept, replaced].map(tokenOf)];
    expect(new Set(await statuses(all))).toEqual(new Set([200]));
    // Two of each mail, one back for each that left, and those of the build and the channels.
    expect(await rows()).toBe(4 * 2 + 4 + 3);

    ann = await Developer.logIn(app.url, ann.email, ann.password);
    await ann.delete(`/builds/${build.id}?${where}`).expect(204);
    expect(await statuses([tokenOf(build), ofBuild.page])).toEqual([404, 404]);
    expect(await rows()).toBe(13);
    await ann.delete(`/channels/${kept.id}?${where}`).expect(204);
    expect(await statuses([tokenOf(kept), ofKept.page, ofKept.out])).toEqual([404, 404, 404]);
    expect(await rows()).toBe(10);
    await ann.post(`/channels/${replaced.id}/rotate-link?${where}`).expect(200);
    expect(await statuses([tokenOf(replaced)])).toEqual([404]);
    expect(await rows()).toBe(10);
    await ann.delete(`/testers/${id}?${where}`).expect(204);
    expect(await rows()).toBe(1);
    await ann.delete(`/channels/${replaced.id}?${where}`).expect(204);
    expect(await rows()).toBe(0);
  });
});
