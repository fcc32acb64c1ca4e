import { type Challenge, solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { Client } from 'pg';
import { PasswordHasher } from '#infra/crypto/password-hasher';
import {
  type BuildJson,
  type ChannelJson,
  Developer,
  type ProjectCredential,
  randomEmail,
} from '../../support/actors/actors';
import { type ProjectRef, scope } from '../../support/actors/actors';
import { createsLink, type LinkJson, LinkVisitor, pathOfLink } from '../../support/actors/link-visitor';
import { verifiedDeveloper } from '../../support/actors/tenant';
import { TestApp } from '../../support/app/test-app';
import { ipa } from '../../support/artifacts/valid-artifacts';
import { eventually } from '../../support/until';

const PASSWORD = 'sunny harbour';
const NAME = 'Secret Rocket';
/** The installer of iOS: another process than the browser, which sends no cookie. */
const ITUNES = {
  'User-Agent': 'com.apple.appstored/1.0 iOS/18.0 model/iPhone15,2 hwp/t8120 build/22A3354 (6; dt:280) AMS/1',
};

describe('the page of a link with rules', () => {
  let app: TestApp;
  let limited: TestApp;
  let ann: Developer;
  let ci: ProjectCredential;
  let project: ProjectRef;
  let build: BuildJson;
  let channel: ChannelJson;
  let visitor: LinkVisitor;
  beforeAll(async () => {
    app = await TestApp.start();
    const environment = { RATE_LIMIT_FACTOR: '1', TRUST_PROXY: '127.0.0.1', CAPTCHA_PROVIDER: 'none' };
    limited = await TestApp.start({ beside: app, worker: false, environment });
    ann = await verifiedDeveloper(app);
    const organization = await ann.createsOrganization();
    await ann.changesPlan(organization, 'business');
    project = await ann.createsProject(organization, NAME);
    build = await ann.uploads(project, { bytes: ipa({ info: { CFBundleDisplayName: NAME } }), fileName: 'Demo.ipa' });
    channel = await ann.createsChannel(project);
    await ann.promotes(project, channel, build);
    ci = app.ci(await ann.createsToken(project, 'MANAGE_RELEASES'));
    visitor = new LinkVisitor(app.url);
  });
  afterAll(async () => {
    await limited.stop();
    await app.stop();
  });

  const linkWith = (rules: object): Promise<LinkJson> => createsLink(ci, project, { build_id: build.id, ...rules });
  const addsTester = async (): Promise<{ id: string; email: string }> =>
    (await ci.post(`/testers?${scope(project)}`, { email: randomEmail(), name: 'Tess' }).expect(201)).body as {
      id: string;
      email: string;
    };
  const events = async (type: string): Promise<Record<string, unknown>[]> =>
    app.sql(`SELECT payload FROM audit_event WHERE type = $1 AND organization_id = $2`, [type, project.organizationId]);

  /** Installs as iOS does: manifest, HEAD, GET and a range, without cookies. */
  const installs = async (page: string): Promise<number[]> => {
    const phone = new LinkVisitor(app.url, ITUNES);
    const manifest = await phone.get(`${page}/manifest.plist`);
    const [, url = ''] = /<string>(http[^<]*\/download\/[^<]*)<\/string>/.exec(manifest.text) ?? [];
    const path = new URL(url).pathname;
    const statuses = [manifest.status, (await phone.head(path)).status];
    const whole = await phone.get(path);
    const range = await phone.get(path, { Range: 'bytes=10-19' });
    expect(whole.headers['content-length']).toBe(String(build.size_bytes));
    expect(manifest.headers['set-cookie']).toBeUndefined();
    return [...statuses, whole.status, range.status];
  };

  describe('with a password', () => {
    it('names neither the app nor the project, and opens with the password', async () => {
      const link = await linkWith({ access: 'password', password: PASSWORD });
      const page = await visitor.get(pathOfLink(link));
      expect(page.status).toBe(200);
      expect(page.text).toContain('Password required');
      expect(page.text).not.toContain(NAME);
      expect(page.headers['cache-control']).toBe('no-store');
      expect(link.qr_url).toBeNull();

      const wrong = await visitor.post(`${pathOfLink(link)}/unlock`, { password: 'rainy harbour' });
      expect([wrong.status, wrong.text.includes('This password is wrong'), wrong.text.includes(NAME)]).toEqual([
        404,
        true,
        false,
      ]);
      const opened = await visitor.opens(`${pathOfLink(link)}/unlock`, { password: PASSWORD });
      expect(opened.startsWith(`${pathOfLink(link)}/g/`)).toBe(true);
      expect((await visitor.get(opened)).text).toContain(NAME);
      expect(await installs(opened)).toEqual([200, 200, 200, 206]);
    });

    // red when: the version of a kept page leaves out the rules of the link
    it('is shown in place of a page that is kept', async () => {
      const link = await linkWith({});
      for (let n = 0; n < 3; n++) expect((await visitor.get(pathOfLink(link))).text).toContain(NAME);
      const rules = { access: 'password', password: PASSWORD };
      await ci.patch(`/links/${link.id}?${scope(project)}`, rules).expect(200);
      expect((await visitor.get(pathOfLink(link))).text).not.toContain(NAME);
      expect((await visitor.get(`${pathOfLink(link)}/icon.png`)).status).toBe(404);
    });

    // red when: the QR code or the address to copy contains the grant
    it('gives others the address without the grant', async () => {
      const link = await linkWith({ access: 'password', password: PASSWORD });
      const opened = await visitor.opens(`${pathOfLink(link)}/unlock`, { password: PASSWORD });
      const { text } = await visitor.get(`${opened}?device=android`);
      expect(text).toContain(`value="${link.install_url}"`);
      expect(text).not.toContain(`value="${new URL(link.install_url).origin}${opened}`);
    });

    it('answers programs: 404 for a wrong password, 303 for the right one', async () => {
      const link = await linkWith({ access: 'password', password: PASSWORD });
      const send = (password: string) => app.anonymous.post(`${pathOfLink(link)}/unlock`).send({ password });
      expect((await send('rainy harbour').expect(404)).body).toMatchObject({ error: 'not_found' });
      await send(PASSWORD).expect(303);
    });

    // red when: the password is hashed or compared as it was typed
    it('opens with the same password in another Unicode form', async () => {
      const link = await linkWith({ access: 'password', password: 'café harbour'.normalize('NFD') });
      for (const form of ['NFC', 'NFD'])
        await visitor.opens(`${pathOfLink(link)}/unlock`, { password: 'café harbour'.normalize(form) });
    });

    // red when: the token of a path may contain a slash
    it('has no grant behind an encoded slash, where responses could be stored', async () => {
      const link = await linkWith({ access: 'password', password: PASSWORD });
      const opened = await visitor.opens(`${pathOfLink(link)}/unlock`, { password: PASSWORD });
      const [, , token = '', , grant = ''] = opened.split('/');
      expect((await visitor.get(`/install/${token}/g/${grant}/qr.svg`)).status).toBe(200);
      expect((await visitor.get(`/install/${token}%2Fg%2F${grant}/qr.svg`)).status).toBe(404);
    });

    // red when: failures are not counted per link or per address, or not in ten minutes
    it('requires a captcha after five wrong passwords of an address and ten of a link', async () => {
      const [link, other] = [
        await linkWith({ access: 'password', password: PASSWORD }),
        await linkWith({ access: 'password', password: PASSWORD }),
      ];
      const guess = async (address: string, { password = 'rainy harbour', captcha = '', at = link } = {}) => {
        const from = new LinkVisitor(limited.url, { Accept: 'text/html', 'X-Forwarded-For': address });
        return (await from.post(`${pathOfLink(at)}/unlock`, { password, captcha })).status;
      };
      const statuses: number[] = [];
      for (let n = 0; n < 6; n++) statuses.push(await guess('198.51.100.1'));
      expect(statuses).toEqual([404, 404, 404, 404, 404, 429]);
      expect(await guess('198.51.100.1', { at: other, password: PASSWORD })).toBe(429);
      expect(await guess('203.0.113.9', { password: PASSWORD })).toBe(303);
      for (let n = 0; n < 5; n++) expect(await guess(`203.0.113.${n}`)).toBe(404);
      expect(await guess('203.0.113.77', { password: PASSWORD })).toBe(429);

      const accept = { Accept: 'application/json' };
      const { text } = await new LinkVisitor(limited.url, accept).get('/api/v1/captcha?for=login');
      const challenge = JSON.parse(text) as Challenge;
      const solution = await solveChallenge({ challenge, deriveKey });
      const captcha = Buffer.from(JSON.stringify({ challenge, solution })).toString('base64');
      expect(await guess('203.0.113.77', { password: PASSWORD, captcha })).toBe(303);
      expect(await guess('203.0.113.78', { password: PASSWORD, captcha })).toBe(400);
      const page = await new LinkVisitor(limited.url).get(pathOfLink(link));
      expect(page.text).toContain('data-captcha=');
      await app.clock.advance({ minutes: 11 });
      expect(await guess('198.51.100.1', { password: PASSWORD })).toBe(303);
      const failed = (await events('link.password_failed')).filter(
        ({ payload }) => (payload as { link_id: string }).link_id === link.id,
      );
      expect(failed.length).toBe(10);
    });

    // red when: a failure beyond the limits is named one, the limits are not checked again after the password, or an unchecked captcha is believed
    it('answers parallel guesses within the limits alone', async () => {
      const link = await linkWith({ access: 'password', password: PASSWORD });
      const guess = async (address: string, password: string, captcha = '') => {
        const from = new LinkVisitor(limited.url, { Accept: 'text/html', 'X-Forwarded-For': address });
        return (await from.post(`${pathOfLink(link)}/unlock`, { password, captcha })).status;
      };
      expect(await guess('192.0.2.1', PASSWORD, 'x')).toBe(400);
      const statuses = await Promise.all(Array.from({ length: 15 }, () => guess('192.0.2.1', 'rainy harbour')));
      expect(statuses.filter((status) => status === 404).length).toBe(5);
      expect(statuses.filter((status) => status === 429).length).toBe(10);
      expect(await guess('192.0.2.2', PASSWORD)).toBe(303);

      const hasher = limited.nest.get(PasswordHasher);
      const matches = hasher.matches.bind(hasher);
      const late = jest.spyOn(hasher, 'matches').mockImplementation(async (password, hash, turn) => {
        const isSame = await matches(password, hash, turn);
        if (isSame) for (let n = 0; n < 5; n++) await guess('192.0.2.3', 'rainy harbour');
        return isSame;
      });
      expect(await guess('192.0.2.3', PASSWORD)).toBe(429);
      late.mockRestore();
    });

    // red when: a change of the rules does not raise their version, or the version is not compared
    it('asks again after a change of the rules, and stays open for others links of the build', async () => {
      const link = await linkWith({ access: 'password', password: PASSWORD });
      const opened = await visitor.opens(`${pathOfLink(link)}/unlock`, { password: PASSWORD });
      await ci.patch(`/links/${link.id}?${scope(project)}`, { name: 'Other name' }).expect(200);
      expect((await visitor.get(opened)).status).toBe(200);
      await ci.patch(`/links/${link.id}?${scope(project)}`, { password: 'another harbour' }).expect(200);
      expect((await visitor.get(opened)).status).toBe(404);
      expect((await visitor.post(`${pathOfLink(link)}/unlock`, { password: PASSWORD })).status).toBe(404);
      await visitor.opens(`${pathOfLink(link)}/unlock`, { password: 'another harbour' });
      await ci.patch(`/links/${link.id}?${scope(project)}`, { access: 'open' }).expect(200);
      expect((await visitor.get(pathOfLink(link))).text).toContain(NAME);
    });
  });

  describe('with sign_in', () => {
    const codeOf = async (email: string, count = 1): Promise<string> =>
      /\d{6}/.exec((await app.mailbox.latest(email, count)).subject ?? '')![0];

    // red when: the code is not bound to link and tester, can be used twice, or the flow needs a cookie
    it('opens for a tester with the mailed code, and installs on iOS without cookies', async () => {
      const tester = await addsTester();
      const link = await linkWith({ access: 'sign_in' });
      const page = await visitor.get(pathOfLink(link));
      expect([page.status, page.text.includes('Sign in'), page.text.includes(NAME)]).toEqual([200, true, false]);
      const asked = await visitor.post(`${pathOfLink(link)}/sign-in`, { email: tester.email });
      expect([asked.status, asked.text.includes('Enter the code')]).toEqual([200, true]);
      const code = await codeOf(tester.email);
      const email = tester.email;
      const wrong = code === '000000' ? '000001' : '000000';
      expect((await visitor.post(`${pathOfLink(link)}/sign-in`, { email, code: wrong })).status).toBe(404);
      const opened = await visitor.opens(`${pathOfLink(link)}/sign-in`, { email, code });
      expect((await visitor.post(`${pathOfLink(link)}/sign-in`, { email, code })).status).toBe(404);
      expect(await installs(opened)).toEqual([200, 200, 200, 206]);
      const downloads = await eventually(
        async () =>
          (await ci.get(`/builds/${build.id}/downloads?${scope(project)}`).expect(200)).body as { items: object[] },
        ({ items }) => items.length > 0,
      );
      expect(downloads.items[0]).toMatchObject({ tester_id: tester.id });
      const { body } = await ci.get(`/links/${link.id}?${scope(project)}`).expect(200);
      expect(body).toMatchObject({ downloads: 1, testers: 1 });
    });

    // red when: a visit does not look for the tester of the grant, or the erasure leaves the tester's download URLs
    it('ends for a tester who is erased, with the download URLs', async () => {
      const [tester, other] = [await addsTester(), await addsTester()];
      const link = await linkWith({ access: 'sign_in' });
      const opens = async ({ email }: { email: string }): Promise<string> => {
        await visitor.post(`${pathOfLink(link)}/sign-in`, { email });
        return visitor.opens(`${pathOfLink(link)}/sign-in`, { email, code: await codeOf(email) });
      };
      const pages = [await opens(tester), await opens(other)];
      const manifests = await Promise.all(pages.map((page) => visitor.get(`${page}/manifest.plist`)));
      const urls = manifests.map(({ text }) => {
        const [, url = ''] = /<string>(http[^<]*\/download\/[^<]*)<\/string>/.exec(text) ?? [];
        return new URL(url).pathname;
      });
      await ci.delete(`/testers/${tester.id}?${scope(project)}`).expect(204);
      const statuses = await Promise.all(
        [...pages, `${pages[0]}/manifest.plist`, `${pages[0]}/icon.png`, ...urls].map(
          async (path) => (await visitor.get(path)).status,
        ),
      );
      expect(statuses).toEqual([404, 200, 404, 404, 404, 200]);
    });

    // red when: the ticket of a tester at one link is that of the tester at another
    it('counts the download of a tester for the link through which it began', async () => {
      const { email } = await addsTester();
      const links = [
        await linkWith({ access: 'sign_in', max_downloads: 1 }),
        await linkWith({ access: 'sign_in', max_downloads: 1 }),
      ];
      for (const [n, link] of links.entries()) {
        await visitor.post(`${pathOfLink(link)}/sign-in`, { email });
        const code = await codeOf(email, n + 1);
        expect(await installs(await visitor.opens(`${pathOfLink(link)}/sign-in`, { email, code }))).toEqual([
          200, 200, 200, 206,
        ]);
      }
      for (const { id } of links) {
        const { body } = await ci.get(`/links/${id}?${scope(project)}`).expect(200);
        expect(body).toMatchObject({ used_downloads: 1, state: 'used_up' });
      }
    });

    // red when: the response depends on whether a tester has the address
    it('responds to an unknown address as to that of a tester, and mails nothing', async () => {
      const tester = await addsTester();
      const link = await linkWith({ access: 'sign_in' });
      const stranger = randomEmail().padStart(tester.email.length, 'x');
      const responses = await Promise.all(
        [tester.email, stranger].map(async (email) => {
          const asked = await visitor.post(`${pathOfLink(link)}/sign-in`, { email });
          const { date: _, 'x-request-id': _id, ...headers } = asked.headers;
          return { status: asked.status, headers, text: asked.text.replaceAll(email, '-') };
        }),
      );
      expect(responses[0]).toEqual(responses[1]);
      await codeOf(tester.email);
      expect(await app.mailbox.all(stranger)).toEqual([]);
    });

    // red when: an attempt with an unknown address ends before that with the address of a tester
    it('compares a code for an unknown address with as many statements as for a tester', async () => {
      const tester = await addsTester();
      const link = await linkWith({ access: 'sign_in' });
      await visitor.post(`${pathOfLink(link)}/sign-in`, { email: tester.email });
      await codeOf(tester.email);
      const statementsFor = async (email: string): Promise<string[]> => {
        const phone = new LinkVisitor(limited.url, { Accept: 'text/html', 'X-Forwarded-For': '192.0.2.21' });
        const query = jest.spyOn(Client.prototype, 'query');
        expect((await phone.post(`${pathOfLink(link)}/sign-in`, { email, code: 'wrong' })).status).toBe(404);
        const texts = query.mock.calls.map(([sent]) => (sent as unknown as { text?: string }).text ?? '');
        query.mockRestore();
        return texts.filter((text) => /\blink_code\b|\bfailed_login\b|"tester"/.test(text));
      };
      const statements = await statementsFor(tester.email);
      expect(statements.some((text) => text.includes('link_code'))).toBe(true);
      expect(await statementsFor(randomEmail())).toEqual(statements);
    });

    it('mails at most five codes an hour, and a code is valid for ten minutes and five attempts', async () => {
      const { email } = await addsTester();
      const link = await linkWith({ access: 'sign_in' });
      const asks = () => visitor.post(`${pathOfLink(link)}/sign-in`, { email });
      const sends = async (code: string) => (await visitor.post(`${pathOfLink(link)}/sign-in`, { email, code })).status;
      await asks();
      const first = await codeOf(email);
      for (let n = 0; n < 5; n++) expect(await sends(first === '111111' ? '222222' : '111111')).toBe(404);
      expect(await sends(first)).toBe(404);
      await asks();
      const second = await codeOf(email, 2);
      await app.clock.advance({ minutes: 11 });
      expect(await sends(second)).toBe(404);
      for (let count = 3; count <= 5; count++) {
        await asks();
        await codeOf(email, count);
      }
      await asks();
      await app.runsJob('install.link-code-requested').catch(() => undefined);
      expect((await app.mailbox.all(email)).length).toBe(5);
    });
  });

  describe('with sign_in, when the mails of the day are used up', () => {
    // red when: a request replaces the code before it takes a mail from the budget
    it('opens with the code that was mailed before', async () => {
      const { email } = await addsTester();
      const link = await linkWith({ access: 'sign_in' });
      const asks = () => visitor.post(`${pathOfLink(link)}/sign-in`, { email });
      expect((await asks()).status).toBe(200);
      const [code] = /\d{6}/.exec((await app.mailbox.latest(email)).subject ?? '') ?? [''];
      await app.jobsEnd();
      const mails = (count: number) =>
        app.sql('UPDATE tester_mail_day SET mails = mails + $1 WHERE organization_id = $2', [
          count,
          project.organizationId,
        ]);
      await mails(1_000_000);
      expect((await asks()).status).toBe(200);
      await app.jobsEnd();
      await mails(-1_000_000);
      expect(await app.mailbox.all(email)).toHaveLength(1);
      await visitor.opens(`${pathOfLink(link)}/sign-in`, { email, code });
    });
  });

  describe('with members', () => {
    it('opens through the grant of a member who may download', async () => {
      const link = await linkWith({ access: 'members' });
      const page = await visitor.get(pathOfLink(link));
      expect([page.status, page.text.includes('For members only'), page.text.includes(NAME)]).toEqual([
        200,
        true,
        false,
      ]);
      const { body } = await ci.post(`/links/${link.id}/grant?${scope(project)}`).expect(201);
      const opened = new URL((body as { url: string }).url).pathname;
      expect((await visitor.get(opened)).text).toContain(NAME);
      expect(await installs(opened)).toEqual([200, 200, 200, 206]);
    });

    // red when: the grant does not name its holder, or a visit does not look at the holder's role
    it('ends for a member who loses the role, and for a token that is revoked', async () => {
      const link = await linkWith({ access: 'members' });
      const opens = async (by: Developer | ProjectCredential): Promise<string> => {
        const { body } = await by.post(`/links/${link.id}/grant?${scope(project)}`).expect(201);
        return new URL((body as { url: string }).url).pathname;
      };
      const statusOf = async (page: string): Promise<number> => (await visitor.get(page)).status;
      ann = await Developer.logIn(app.url, ann.email, ann.password);
      const member = await verifiedDeveloper(app);
      const { id, organizationId } = project;
      await app.sql(`INSERT INTO membership VALUES ($1, $2, '{MEMBER}', now())`, [organizationId, member.id]);
      const becomes = (role: string) =>
        ann
          .request('put', `/projects/${id}/members/${member.id}?organization_id=${organizationId}`)
          .send({ role })
          .expect(200);
      await becomes('DOWNLOAD_BUILD');
      const token = app.ci(await ann.createsToken(project, 'DOWNLOAD_BUILD'));
      const pages = [await opens(member), await opens(token)];
      expect(await Promise.all(pages.map(statusOf))).toEqual([200, 200]);
      await becomes('VIEW_PROJECT');
      expect(await Promise.all(pages.map(statusOf))).toEqual([404, 200]);
      await app.sql(
        `UPDATE project_access_token SET revoked_at = now() WHERE project_id = $1 AND role = 'DOWNLOAD_BUILD'`,
        [id],
      );
      expect(await Promise.all(pages.map(statusOf))).toEqual([404, 404]);
    });
  });

  describe('with terms', () => {
    const TERMS = 'Confidential & <b>internal</b>.\nDo not share it.';

    it('opens after the acceptance, which is stored', async () => {
      const link = await linkWith({ terms: TERMS });
      const page = await visitor.get(pathOfLink(link));
      expect(page.text).toContain('Confidential &amp; &lt;b&gt;internal');
      expect(page.text).not.toContain(NAME);
      const opened = await visitor.opens(`${pathOfLink(link)}/terms`, { version: '1' });
      expect(await installs(opened)).toEqual([200, 200, 200, 206]);
      await visitor.opens(`${pathOfLink(link)}/terms`, { version: '1' });
      const stored = await app.sql('SELECT * FROM link_acceptance WHERE link_id = $1', [link.id]);
      expect(stored).toEqual([expect.objectContaining({ terms_version: 1, tester_id: null })]);
    });

    // red when: the response to a program is that of a success
    it('is not accepted by a program that names another version', async () => {
      const link = await linkWith({ terms: TERMS });
      const send = (version: number) => app.anonymous.post(`${pathOfLink(link)}/terms`).send({ version });
      await send(2).expect(404);
      await send(1).expect(303);
    });

    // red when: the grant of a member counts as acceptance, or the acceptance loses the holder of the grant
    it('concerns members at a link for members, and not those who look at another link', async () => {
      const link = await linkWith({ terms: TERMS, access: 'members' });
      const grantOf = async ({ id }: LinkJson): Promise<string> => {
        const { body } = await ci.post(`/links/${id}/grant?${scope(project)}`).expect(201);
        return new URL((body as { url: string }).url).pathname;
      };
      const granted = await grantOf(link);
      const page = await visitor.get(granted);
      expect([page.status, page.text.includes('Confidential'), page.text.includes(NAME)]).toEqual([200, true, false]);
      expect((await visitor.get(`${granted}/manifest.plist`)).status).toBe(404);
      const opened = await visitor.opens(`${granted}/terms`, { version: '1' });
      expect(await installs(opened)).toEqual([200, 200, 200, 206]);
      const stored = await app.sql('SELECT * FROM link_acceptance WHERE link_id = $1', [link.id]);
      expect(stored).toEqual([expect.objectContaining({ terms_version: 1, tester_id: null })]);
      const other = await linkWith({ terms: TERMS, access: 'password', password: PASSWORD });
      expect((await visitor.get(await grantOf(other))).text).toContain(NAME);
    });

    // red when: the page of an ended visit says that the link does not work
    it('leads back to the link from an address of an earlier visit', async () => {
      const link = await linkWith({ access: 'password', password: PASSWORD });
      const path = pathOfLink(link);
      const ended = await visitor.get(`${path}/g/AQJr`);
      expect([ended.status, ended.text.includes(`action="${path}/unlock"`)]).toEqual([404, true]);
      for (const address of [`${path}/unlock`, `${path}/sign-in?lang=en`, `${path}/g/AQJr/package.ipa`]) {
        const page = await visitor.get(address);
        expect([address, page.status, page.text.includes(`href="${path}"`)]).toEqual([address, 404, true]);
      }
    });

    it('comes after the password, and asks again for another text', async () => {
      const link = await linkWith({ terms: TERMS, access: 'password', password: PASSWORD });
      const unlocked = await visitor.opens(`${pathOfLink(link)}/unlock`, { password: PASSWORD });
      const page = await visitor.get(unlocked);
      expect([page.status, page.text.includes('Confidential'), page.text.includes(NAME)]).toEqual([200, true, false]);
      expect((await visitor.get(`${unlocked}/manifest.plist`)).status).toBe(404);
      const opened = await visitor.opens(`${unlocked}/terms`, { version: '1' });
      expect((await visitor.get(opened)).text).toContain(NAME);
      const { body } = await ci.patch(`/links/${link.id}?${scope(project)}`, { terms: 'Another text.' }).expect(200);
      expect((body as LinkJson).terms).toEqual({ text: 'Another text.', version: 2 });
      const again = await visitor.opens(`${pathOfLink(link)}/unlock`, { password: PASSWORD });
      const asked = await visitor.post(`${again}/terms`, { version: '1' });
      expect([asked.status, asked.text.includes('Another text.')]).toEqual([200, true]);
    });

    // red when: the personal link of a tester is open without acceptance, or asks each time
    it('concerns the personal links of testers once for each version, but not their passwords', async () => {
      const [link] = (
        (await ci.get(`/links?${scope(project)}&channel_id=${channel.id}`).expect(200)).body as { items: LinkJson[] }
      ).items;
      const rules = { terms: TERMS, access: 'password', password: PASSWORD };
      await ci.patch(`/links/${link!.id}?${scope(project)}`, rules).expect(200);
      const tester = await addsTester();
      await ci.post(`/testers/${tester.id}/invite?${scope(project)}&channel_id=${channel.id}`).expect(204);
      const mailed = new URL(await app.mailbox.link(tester.email)).pathname;
      const asked = await visitor.get(mailed);
      expect([asked.status, asked.text.includes('Confidential'), asked.text.includes(NAME)]).toEqual([
        200,
        true,
        false,
      ]);
      expect((await visitor.get(`${mailed}/latest/ios/package`)).status).toBe(404);
      expect(await visitor.opens(`${mailed}/terms`, { version: '1' })).toBe(mailed);
      expect((await visitor.get(mailed)).text).toContain(NAME);
      await ci.post(`/testers/${tester.id}/invite?${scope(project)}&channel_id=${channel.id}`).expect(204);
      const second = new URL(await app.mailbox.link(tester.email, 2)).pathname;
      expect((await visitor.get(second)).text).toContain(NAME);
      const soon = new Date(app.clock.now().getTime() + 60_000).toISOString();
      await ci.patch(`/links/${link!.id}?${scope(project)}`, { expires_at: soon }).expect(200);
      await app.clock.advance({ minutes: 2 });
      expect((await visitor.get(mailed)).status).toBe(404);
      expect((await visitor.get(`${mailed}/unsubscribe`)).status).toBe(200);
      const open = { terms: null, access: 'open', expires_at: null };
      await ci.patch(`/links/${link!.id}?${scope(project)}`, open).expect(200);
      expect((await visitor.get(mailed)).status).toBe(200);
    });
  });

  // red when: a change of the rules leaves the tickets of the rules before
  it('ends the download URLs that were not used before a rule changed, and no others', async () => {
    const link = await linkWith({});
    const mints = async (address: string): Promise<string> => {
      const phone = new LinkVisitor(limited.url, { 'X-Forwarded-For': address });
      return new URL(String((await phone.get(`${pathOfLink(link)}/package.ipa`)).headers['location'])).pathname;
    };
    const [used, unused] = [await mints('192.0.2.11'), await mints('192.0.2.12')];
    expect((await visitor.get(used, { Range: 'bytes=0-9' })).status).toBe(206);
    await ci.patch(`/links/${link.id}?${scope(project)}`, { name: 'Other name' }).expect(200);
    expect((await visitor.head(unused)).status).toBe(200);
    await ci.patch(`/links/${link.id}?${scope(project)}`, { access: 'members' }).expect(200);
    expect((await visitor.get(unused)).status).toBe(404);
    expect((await visitor.get(used, { Range: 'bytes=10-19' })).status).toBe(206);
  });

  describe('with an end', () => {
    it('is that of an unknown link after its time, also for visitors with a grant', async () => {
      const expiresAt = new Date(app.clock.now().getTime() + 5 * 60_000).toISOString();
      const link = await linkWith({ expires_at: expiresAt, access: 'password', password: PASSWORD });
      const opened = await visitor.opens(`${pathOfLink(link)}/unlock`, { password: PASSWORD });
      await app.clock.advance({ minutes: 6 });
      for (const path of [pathOfLink(link), opened]) expect((await visitor.get(path)).status).toBe(404);
      const { body } = await ci.get(`/links/${link.id}?${scope(project)}`).expect(200);
      expect(body).toMatchObject({ state: 'expired' });
      await ci.post(`/links/${link.id}/grant?${scope(project)}`).expect(400);
    });

    // red when: the count is not raised in the transaction that settles, or the row is not locked
    it('lets exactly ten of fifty concurrent downloads settle with a maximum of ten', async () => {
      const link = await linkWith({ max_downloads: 10 });
      const phones = Array.from({ length: 50 }, (_, n) => {
        const headers = { 'X-Forwarded-For': `198.51.${n}.1` };
        return new LinkVisitor(limited.url, headers);
      });
      const tickets: string[] = [];
      for (const phone of phones) {
        const { headers } = await phone.get(`${pathOfLink(link)}/package.ipa`);
        tickets.push(new URL(String(headers['location'])).pathname);
      }
      expect(new Set(tickets).size).toBe(50);
      const charged = async (): Promise<number> =>
        Number(
          (await app.sql<{ n: string }>('SELECT count(*) AS n FROM build_download WHERE link_id = $1', [link.id]))[0]!
            .n,
        );
      const statuses = await Promise.all(tickets.map(async (path, n) => (await phones[n]!.get(path)).status));
      expect(statuses.filter((status) => status === 200).length).toBe(10);
      expect(statuses.filter((status) => status === 404).length).toBe(40);
      expect(await charged()).toBe(10);
      const { body } = await ci.get(`/links/${link.id}?${scope(project)}`).expect(200);
      expect(body).toMatchObject({ used_downloads: 10, state: 'used_up' });
      expect((await visitor.get(pathOfLink(link))).status).toBe(404);
      const counts = await ci.get(`/builds/${build.id}/funnel?${scope(project)}&link_id=${link.id}`).expect(200);
      expect(counts.body).toMatchObject({ link_downloads: 10 });
      await ci.patch(`/links/${link.id}?${scope(project)}`, { max_downloads: 11 }).expect(200);
      expect((await visitor.get(pathOfLink(link))).status).toBe(200);
    });
  });
});
