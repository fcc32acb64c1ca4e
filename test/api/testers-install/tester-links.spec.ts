import { randomBytes } from 'node:crypto';
import { type Email } from 'postal-mime';
import { type BuildJson, Developer, randomEmail, scope } from '../../support/actors/actors';
import { createTenant, type Tenant } from '../../support/actors/tenant';
import { TestApp } from '../../support/app/test-app';
import { ipa } from '../../support/artifacts/valid-artifacts';

const BASE = 'https://apps.example.org/get';
const NOTES = 'Try <script>alert(1)</script>\r\n& the "new" login';

interface TesterJson {
  readonly id: string;
  readonly email: string;
}

describe('the link of a tester', () => {
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

  /** The tokens of the two links of a mail: of the install page and of the unsubscribe page. */
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

  describe('in its mail', () => {
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

    it('stands beside app, version and notes, which are escaped in HTML', () => {
      expect(mail.subject).toContain(build.version);
      for (const body of [mail.html!, mail.text!]) expect(body).toContain(build.version);
      expect(mail.html).toContain('Café &lt;b&gt;');
      expect(mail.html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
      expect(mail.html).not.toContain('<script');
      expect(mail.text).toContain('Try <script>alert(1)</script>');
      expect(mail.html).toContain('prefers-color-scheme: dark');
    });

    it('starts with INSTALL_BASE_URL, like every link of the mail', () => {
      const links = [...`${mail.html}${mail.text}`.matchAll(/https?:\/\/[^\s"<>]+/g)].map(([link]) => link);
      expect(links.length).toBeGreaterThan(4);
      // red when: a link is built from a header of the request
      for (const link of links) expect(link).toMatch(/^https:\/\/apps\.example\.org\/get\/install\/[\w-]{43}/);
    });

    it('is also shown as a QR code, an attached PNG', () => {
      expect(mail.html).toContain('src="cid:install-link"');
      const [image] = mail.attachments;
      expect(image).toMatchObject({ mimeType: 'image/png', contentId: '<install-link>', disposition: 'inline' });
      expect(
        Buffer.from(image!.content as ArrayBuffer)
          .subarray(1, 4)
          .toString(),
      ).toBe('PNG');
    });

    it('is accompanied by one-click unsubscribe headers (RFC 8058)', () => {
      const header = (name: string) => mail.headers.find(({ key }) => key === name)?.value;
      expect(header('list-unsubscribe')).toBe(`<${BASE}/install/${tokensOf(mail).out}/unsubscribe>`);
      expect(header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
    });

    it('has a token that the database does not contain', async () => {
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

    it('has a new token in each mail, and mails are limited per hour', async () => {
      const { tester: tess, page } = await invited();
      // A tester who opened no link gets three mails only.
      await app.anonymous.get(`/install/${page}`).set('Accept', 'text/html').expect(200);
      await invites(tess, { channel: channelId }).expect(204);
      expect(tokensOf(await app.mailbox.latest(tess.email, 2)).page).not.toBe(page);
      const statuses = [];
      for (let sent = 2; sent < 12; sent++) statuses.push((await invites(tess)).status);
      expect(statuses).toEqual([204, 204, 204, 204, 204, 204, 204, 204, 429, 429]);
      await app.sql(`UPDATE invite SET created_at = created_at - interval '61 minutes' WHERE tester_id = $1`, [
        tess.id,
      ]);
      await invites(tess).expect(204);
    });

    it('opens a build or a channel, not both, and only existing ones', async () => {
      const body = (await invites(tester, { channel: channelId, build: build.id }).expect(400)).body as object;
      expect(body).toMatchObject({ error: 'invalid_input', details: { reason: 'two_targets' } });
      await invites(tester, { build: '019a9d5e-7c1a-7b3e-9c55-0c8f4a6b2d10' }).expect(404);
      await invites(tester, { channel: '019a9d5e-7c1a-7b3e-9c55-0c8f4a6b2d10' }).expect(404);
      await invites({ id: '019a9d5e-7c1a-7b3e-9c55-0c8f4a6b2d10', email: '' }).expect(404);
    });
  });

  describe('when opened', () => {
    it('changes nothing for GET and HEAD requests of mail scanners', async () => {
      const { tester, page, out } = await invited();
      for (let look = 0; look < 10; look++) {
        for (const path of [`/install/${page}`, `/install/${out}/unsubscribe`, `/install/${page}/subscribe`]) {
          await app.anonymous.head(path);
          await app.anonymous.get(path);
        }
      }
      // red when: a GET marks the link as used
      expect(await app.sql('SELECT FROM invite WHERE tester_id = $1 AND spent_at IS NOT NULL', [tester.id])).toEqual(
        [],
      );
      await acts(page, 'subscribe').expect(204);
      expect((await stateOf(tester)).state).toBe('subscribed');
    });

    it('shows a page with a form that unsubscribes', async () => {
      const { out } = await invited();
      const { text, headers } = await app.anonymous
        .get(`/install/${out}/unsubscribe`)
        .set('Accept', 'text/html')
        .expect(200);
      expect(text).toContain(`action="/get/install/${out}/unsubscribe"`);
      expect(headers).toMatchObject({ 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex, nofollow' });
    });
  });

  describe('when used', () => {
    it.each(['subscribe', 'unsubscribe', 'decline'])(
      'makes one change when fifty requests %s concurrently',
      async (action) => {
        const { tester, page } = await invited();
        const responses = await Promise.all(
          Array.from({ length: 50 }, (_, index) =>
            (index % 2 ? app : beside).anonymous.post(`/install/${page}/${action}`).send(),
          ),
        );
        // red when: `used` is checked by a separate statement before the update
        expect(responses.map(({ status }) => status).sort()).toEqual([204, ...Array.from({ length: 49 }, () => 409)]);
        const type = { subscribe: 'tester.subscribed', unsubscribe: 'tester.unsubscribed', decline: 'tester.declined' };
        expect(await countEvents(type[action as keyof typeof type], tester.id)).toBe(1);
      },
    );

    it('a second time responds with a page to a browser and 409 to a program', async () => {
      const { tester, page } = await invited();
      expect((await clicks(page, 'subscribe').expect(200)).text).toContain('You are subscribed');
      expect((await clicks(page, 'unsubscribe').expect(200)).text).toContain('This is already done');
      expect((await acts(page, 'unsubscribe').expect(409)).body).toMatchObject({ error: 'already_exists' });
      expect((await stateOf(tester)).state).toBe('subscribed');
    });

    it('to unsubscribe accepts one click after the other link was used, and repeated clicks', async () => {
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

    it('to unsubscribe shows a page whose form subscribes again', async () => {
      const { tester, page, out } = await invited();
      await acts(page, 'subscribe').expect(204);
      const { text } = await clicks(out, 'unsubscribe').expect(200);
      const [, back] = /action="\/get(\/install\/[\w-]{43}\/subscribe)"/.exec(text)!;
      await app.anonymous.post(back!).type('form').send('').expect(200);
      expect((await stateOf(tester)).state).toBe('subscribed');
    });

    it('to unsubscribe always works, but shows a form to undo it only up to the hourly limit', async () => {
      const { tester, page, out } = await invited({});
      let token: string | undefined = page;
      let links = 2;
      for (; token !== undefined && links <= 30; links++) {
        const { text }: { text: string } = await clicks(token, 'unsubscribe').expect(200);
        expect(text).toContain('You no longer test');
        const undo = /\/install\/([\w-]{43})\/subscribe"/.exec(text);
        expect(text.includes('undo it here')).toBe(undo !== null);
        token = undo?.[1];
      }
      // red when: unsubscribing creates a link without checking the hourly limit
      expect([token, links - 1]).toEqual([undefined, 20]);
      await app.sql(`UPDATE invite SET created_at = created_at - interval '61 minutes' WHERE tester_id = $1`, [
        tester.id,
      ]);
      expect((await clicks(out, 'decline').expect(200)).text).toMatch(/\/install\/[\w-]{43}\/subscribe"/);
    });

    it('must belong to a tester, not to a build or channel', async () => {
      for (const url of [tenant.build.install_url, tenant.channel.install_url]) {
        const token = url.split('/').at(-1)!;
        for (const action of ['subscribe', 'unsubscribe', 'decline']) await acts(token, action).expect(404);
      }
    });

    it('cannot subscribe to a channel that the tester never subscribed to', async () => {
      const { tester, page } = await invited({});
      await acts(page, 'subscribe', { channel_id: channelId }).expect(404);
      await acts(page, 'subscribe', { channel: channelId }).expect(400);
      await puts(tester);
      await acts(page, 'unsubscribe', { channel_id: channelId }).expect(204);
      expect(await stateOf(tester)).toEqual({ declined: false, state: 'suppressed' });
    });

    it('is not found by a thousand guesses', async () => {
      const statuses = new Set<number>();
      for (let round = 0; round < 10; round++) {
        const responses = await Promise.all(
          Array.from({ length: 100 }, () => acts(randomBytes(32).toString('base64url'), 'decline')),
        );
        for (const { status } of responses) statuses.add(status);
      }
      expect([...statuses]).toEqual([404]);
    });
  });

  describe('after the tester unsubscribed', () => {
    // red when: IdField does not normalize the case of an id
    it.each([
      ['in lower case', (id: string) => id],
      ['in upper case', (id: string) => id.toUpperCase()],
    ])('is needed to resubscribe: no request with the channel id %s does', async (_name, spelt) => {
      const channelId = spelt(tenant.channel.id);
      const { tester, page, out } = await invited();
      await acts(page, 'subscribe').expect(204);
      await oneClick(out).expect(200);
      // red when: the suppressions are not checked
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

    it('from the project is not mailed, and the address cannot be added again', async () => {
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
      // Another project is independent.
      const elsewhere = scope(await ann.createsProject(tenant.organization));
      await ann.post(`/testers?${elsewhere}`, { email: tester.email }).expect(201);
    });

    it('subscribes the tester again', async () => {
      const { tester, page, out } = await invited();
      await acts(out, 'decline').expect(204);
      await acts(page, 'subscribe').expect(204);
      expect(await stateOf(tester)).toEqual({ declined: false, state: 'subscribed' });
      await invites(tester).expect(204);
    });

    it('leaves a keyed digest, which a hash of the address does not match', async () => {
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

  describe('is not needed by project members, who', () => {
    it('subscribe and unsubscribe a tester', async () => {
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

    it('cannot delete a channel that has subscribers', async () => {
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

  it('is deleted with the tester, and no table contains the address afterwards', async () => {
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

  // Last, because it moves the clock. red when: a foreign key of `invite` does not cascade, or a job deletes used links within a year
  it('works, used or not, until the build, channel or tester is deleted, and its row is deleted with them', async () => {
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
      await app.anonymous.get(`/install/${tokens.page}`).set('Accept', 'text/html').expect(200);
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

    await app.clock.advance({ days: 364 });
    const schedules = await app.sql<{ identifier: string }>(
      'SELECT identifier FROM graphile_worker._private_known_crontabs',
    );
    expect(schedules.length).toBeGreaterThan(10);
    for (const { identifier } of schedules) await app.runsJob(identifier);
    const all = [...mailed.flatMap(({ page, out }) => [page, out]), ...[build, kept, replaced].map(tokenOf)];
    expect(new Set(await statuses(all))).toEqual(new Set([200]));
    // Two per mail, one per `decline` to undo it, and those of the build and the channels.
    expect(await rows()).toBe(4 * 2 + 4 + 3);

    ann = await Developer.logIn(app.url, ann.email, ann.password);
    await ann.delete(`/builds/${build.id}?${where}&permanently=true`).expect(204);
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
