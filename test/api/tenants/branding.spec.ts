import { createHash } from 'node:crypto';
import { Client } from 'pg';
import {
  type BuildJson,
  type Developer,
  type OrganizationRef,
  type ProjectRef,
  randomEmail,
  scope,
} from '../../support/actors/actors';
import { verifiedDeveloper } from '../../support/actors/tenant';
import { TestApp } from '../../support/app/test-app';
import { png, pngChunk } from '../../support/artifacts/png-writer';
import { ipa } from '../../support/artifacts/valid-artifacts';

interface BrandingJson {
  readonly display_name: string | null;
  readonly logo: string | null;
  readonly logo_url: string | null;
  readonly contact: string | null;
  readonly privacy_url: string | null;
  readonly accent: string | null;
}

const NOTHING = { display_name: null, logo: null, logo_url: null, contact: null, privacy_url: null, accent: null };
const LOGO = png({ width: 320, height: 80 });
const FULL = {
  display_name: 'Tidewater',
  logo: LOGO.toString('base64'),
  contact: 'beta@tidewater.example',
  privacy_url: 'https://tidewater.example/privacy?from=agate&x=1',
  accent: '#8a1c5b',
};

describe('the branding of an organization', () => {
  let app: TestApp;
  let ann: Developer;
  let organization: OrganizationRef;
  let project: ProjectRef;
  let build: BuildJson;
  beforeAll(async () => {
    app = await TestApp.start();
    ann = await verifiedDeveloper(app);
    organization = await ann.createsOrganization('Tidewater Labs Inc.');
    project = await ann.createsProject(organization);
    build = await ann.uploads(project, { bytes: ipa(), fileName: 'Demo.ipa' });
  });
  beforeEach(() => sets({}));
  afterAll(() => app.stop());

  const pathOf = ({ id }: OrganizationRef): string => `/organizations/${id}/branding`;
  const put = (body: object, of = organization, who: Developer = ann) => who.request('put', pathOf(of)).send(body);
  const sets = async (body: object): Promise<BrandingJson> => (await put(body).expect(200)).body as BrandingJson;
  const page = async (language = 'en'): Promise<string> =>
    (
      await app.anonymous
        .get(new URL(build.install_url).pathname)
        .set({ Accept: 'text/html', 'Accept-Language': language })
        .expect(200)
    ).text;
  const joins = async (roles: string[]): Promise<Developer> => {
    const member = await verifiedDeveloper(app);
    const sql = `INSERT INTO membership (organization_id, developer_id, roles, created_at) VALUES ($1, $2, $3, now())`;
    await app.sql(sql, [organization.id, member.id, roles]);
    return member;
  };

  it('is empty at first, and is replaced as a whole', async () => {
    const other = await ann.createsOrganization();
    expect((await ann.get(pathOf(other)).expect(200)).body).toEqual(NOTHING);
    const set = await sets(FULL);
    expect(set).toEqual({ ...FULL, logo_url: expect.stringMatching(/\/assets\/logos\/[\w-]{43}$/) as string });
    expect((await ann.get(pathOf(organization)).expect(200)).body).toEqual(set);
    // What GET returned can be sent back, without the address.
    const { logo_url: _url, ...sent } = set;
    expect(await sets({ ...sent, accent: ' #8A1C5B ' })).toEqual(set);
    expect(await sets({ contact: 'Room 4' })).toEqual({ ...NOTHING, contact: 'Room 4' });
    expect(await sets({})).toEqual(NOTHING);
    expect(await app.sql('SELECT FROM organization_logo WHERE organization_id = $1', [organization.id])).toEqual([]);
    const [row] = await app.sql('SELECT branding FROM organization WHERE id = $1', [organization.id]);
    expect(row).toEqual({ branding: null });
  });

  // red when: the access of the route names no role, or another organization's row is written
  it('is read by members and replaced by ADMIN alone', async () => {
    const reader = await joins(['READ']);
    const manager = await joins(['MANAGER']);
    const eve = await verifiedDeveloper(app);
    await sets(FULL);
    for (const member of [reader, manager]) {
      expect((await member.get(pathOf(organization)).expect(200)).body).toMatchObject({ accent: FULL.accent });
      const { body } = await put({ accent: null }, organization, member).expect(403);
      expect(body).toMatchObject({ error: 'insufficient_role', details: { required_role: 'ADMIN' } });
    }
    const of = await eve.createsOrganization();
    for (const response of [eve.get(pathOf(organization)), put({}, organization, eve), ann.get(pathOf(of))])
      expect((await response.expect(403)).body).toMatchObject({ error: 'permission_denied' });
    expect((await ann.get(pathOf(organization))).body).toMatchObject(FULL);
  });

  it('is recorded in the audit feed without the bytes of the logo', async () => {
    await sets(FULL);
    const [event] = await app.sql<{ payload: object }>(
      `SELECT payload FROM audit_event WHERE organization_id = $1 AND type = 'organization.branding_updated'
       ORDER BY id DESC LIMIT 1`,
      [organization.id],
    );
    expect(event!.payload).toEqual({ ...FULL, logo: { width: 320, height: 80, size_bytes: LOGO.length } });
  });

  describe('refuses', () => {
    const large = png({ extraChunks: [pngChunk('teXt', Buffer.alloc(65_536))] });
    const header = (change: (bytes: Buffer) => void): string => {
      const bytes = Buffer.from(LOGO);
      change(bytes);
      return bytes.toString('base64');
    };

    it.each<[what: string, body: object, reason: string]>([
      ['a logo that is not base64', { logo: 'a b' }, 'logo_not_base64'],
      ['a logo of another type', { logo: 'data:image/svg+xml;base64,PHN2Zz4=' }, 'logo_not_base64'],
      ['a GIF', { logo: Buffer.from('GIF89a'.padEnd(60, 'x')).toString('base64') }, 'logo_not_png'],
      ['an empty PNG', { logo: LOGO.subarray(0, 8).toString('base64') }, 'logo_not_png'],
      ['a PNG without data', { logo: LOGO.subarray(0, 33).toString('base64') }, 'logo_not_png'],
      ['a header with a wrong checksum', { logo: header((bytes) => bytes.writeUInt8(9, 29)) }, 'logo_not_png'],
      ['a width of zero', { logo: png({ claims: { width: 0, height: 5 } }).toString('base64') }, 'logo_not_png'],
      [
        'a picture that is too wide',
        { logo: png({ claims: { width: 2_049, height: 1 } }).toString('base64') },
        'logo_too_large',
      ],
      [
        'a picture of 16 exapixels',
        { logo: png({ claims: { width: 4e9, height: 4e9 } }).toString('base64') },
        'logo_too_large',
      ],
      ['more than 64 KiB', { logo: large.toString('base64').slice(0, 87_384) }, 'logo_too_large'],
      ['an accent without contrast', { accent: '#ffcc00' }, 'accent_contrast'],
      ['white as accent', { accent: '#FFFFFF' }, 'accent_contrast'],
    ])('%s', async (_what, body, reason) => {
      const before = await sets({ contact: 'before' });
      expect((await put(body).expect(400)).body).toMatchObject({ error: 'invalid_input', details: { reason } });
      expect((await ann.get(pathOf(organization))).body).toEqual(before);
    });

    it.each<[field: string, value: unknown]>([
      ['privacy_url', 'javascript:alert(1)'],
      ['privacy_url', 'https://'],
      ['privacy_url', 'https://user:secret@tidewater.example/'],
      ['privacy_url', 'tidewater.example/privacy'],
      ['privacy_url', `https://tidewater.example/${'x'.repeat(1000)}`],
      ['accent', 'red'],
      ['accent', '#fff'],
      ['accent', '#0057b8;}*{display:none'],
      ['display_name', ''],
      ['display_name', 'x'.repeat(101)],
      ['display_name', 'a\nb'],
      ['contact', 'x'.repeat(201)],
      ['contact', 7],
      ['logo', ['a']],
      ['logo', 'A'.repeat(90_000)],
      ['name', 'unknown field'],
    ])('%s: %p', async (field, value) => {
      const { body } = await put({ [field]: value }).expect(400);
      expect(body).toMatchObject({ error: 'validation_error', details: { fields: [{ field }] } });
    });

    it('a body above its limit', async () => {
      const { body } = await put({ logo: 'A'.repeat(100_000) }).expect(413);
      expect(body).toMatchObject({ error: 'payload_too_large' });
    });
  });

  describe('has a logo', () => {
    const logo = (url: string) => app.anonymous.get(new URL(url).pathname);

    // red when: the response has no immutable header, or the address survives the picture
    it('at an immutable address that ends with the picture', async () => {
      const { logo_url: url } = await sets(FULL);
      const response = await logo(url!).expect(200);
      expect(response.body).toEqual(LOGO);
      expect(response.headers).toMatchObject({
        'content-type': 'image/png',
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox",
      });
      const { logo_url: next } = await sets({ ...FULL, logo: png({ width: 8 }).toString('base64') });
      expect(next).not.toBe(url);
      await logo(url!).expect(404);
      // The same picture has the same address again.
      expect((await sets({ ...FULL, logo: `data:image/png;base64,${FULL.logo}` })).logo_url).toBe(url);
      await sets({});
      await logo(url!).expect(404);
    });

    // red when: the key is the SHA-256 of the picture
    it('whose address does not follow from the picture, and differs between organizations', async () => {
      const other = await ann.createsOrganization();
      const [mine, theirs] = [await sets(FULL), (await put(FULL, other).expect(200)).body as BrandingJson];
      expect(mine.logo_url).not.toBe(theirs.logo_url);
      expect(mine.logo_url).not.toContain(createHash('sha256').update(LOGO).digest('base64url'));
      await app.anonymous.get(`/assets/logos/${createHash('sha256').update(LOGO).digest('base64url')}`).expect(404);
      await app.anonymous.get('/assets/logos/..%2Fpage.css').expect(404);
      await ann.delete(`/organizations/${other.id}`).expect(204);
      await logo(theirs.logo_url!).expect(404);
      await logo(mine.logo_url!).expect(200);
    });
  });

  describe('on an install page', () => {
    // red when: the version of a kept page does not contain the organization's row
    it('is shown immediately, also on a page that is kept', async () => {
      for (let time = 0; time < 3; time += 1) expect(await page()).toContain('Tidewater Labs Inc. sends you this app');
      const { logo_url: url } = await sets(FULL);
      const text = await page();
      expect(text).toContain('Tidewater sends you this app');
      expect(text).not.toContain('Tidewater Labs Inc.');
      expect(text).toContain(`<img src="${new URL(url!).pathname}" alt="Tidewater" width="320" height="80">`);
      expect(text).toContain('href="mailto:beta@tidewater.example"');
      expect(text).toContain('href="https://tidewater.example/privacy?from=agate&amp;x=1"');
      expect(await page('de')).toMatch(/Kontakt:[^]*>Datenschutz</);
      await sets({});
      const plain = await page();
      expect(plain).toContain('Tidewater Labs Inc. sends you this app');
      expect(plain).not.toMatch(/class="(brand|contact|privacy)"|accent-|mailto:/);
    });

    it('sets its accent in a style sheet of its own, which the policy of pages allows', async () => {
      await sets(FULL);
      const response = await app.anonymous.get(new URL(build.install_url).pathname).set('Accept', 'text/html');
      expect(response.headers['content-security-policy']).toContain("style-src 'self'; img-src 'self'");
      expect(response.text).not.toMatch(/ style=|<style/);
      const href = /href="(\/assets\/accent-8a1c5b\.[0-9a-f]{16}\.css)"/.exec(response.text)![1]!;
      const styles = await app.anonymous.get(href).expect(200);
      expect(styles.text).toContain('main{--accent:#8a1c5b;');
      expect(styles.headers).toMatchObject({
        'content-type': 'text/css; charset=utf-8',
        'cache-control': 'public, max-age=31536000, immutable',
      });
      // Another colour, or the same one with a wrong digest, has no style sheet.
      await app.anonymous.get(href.replace('8a1c5b', 'ffcc00')).expect(404);
      await app.anonymous.get(href.replace(/\.[0-9a-f]{16}\./, '.0123456789abcdef.')).expect(404);
    });

    it.each([
      ['Room 4, <b>ask</b> for Ann', 'Room 4, &lt;b&gt;ask&lt;/b&gt; for Ann', false],
      ['javascript:alert(1)', 'javascript:alert(1)', false],
      ['https://tidewater.example/help', 'https://tidewater.example/help', true],
    ])('shows the contact %s as text, and as a link only if it is an address', async (contact, shown, isLink) => {
      await sets({ contact });
      const text = await page();
      expect(text).toContain(`<bdi>${shown}</bdi>`);
      expect(text.includes(`href="${shown}"`)).toBe(isLink);
    });

    // red when: the page reads the branding in a statement of its own
    it('costs no statement more than without it', async () => {
      const sent = async (): Promise<string[]> => {
        // The second time, the page is kept.
        for (let time = 0; time < 2; time += 1) await page();
        const query = jest.spyOn(Client.prototype, 'query');
        await page();
        const statements = query.mock.calls.map(([sent]) => (sent as unknown as { text?: string }).text ?? '');
        query.mockRestore();
        // Not those of the worker.
        return statements.filter((text) => /\bFROM (invite|organization)\b/.test(text));
      };
      const without = await sent();
      await sets(FULL);
      const branded = await sent();
      expect(branded).toEqual(without);
      expect(branded).toHaveLength(1);
    });
  });

  it('names the sender of mails to testers, with the logo as a part of the mail', async () => {
    await sets(FULL);
    const email = randomEmail();
    const { body } = await ann.post(`/testers?${scope(project)}`, { email }).expect(201);
    await ann.post(`/testers/${(body as { id: string }).id}/invite?${scope(project)}&build_id=${build.id}`).expect(204);
    const mail = await app.mailbox.latest(email);
    expect(mail.from!.name).toMatch(/\(Tidewater\)$/);
    expect(mail.text).toContain('Contact: beta@tidewater.example');
    expect(mail.text).toContain(`Privacy: ${FULL.privacy_url}`);
    expect(mail.html).toContain('<img src="cid:logo" width="160" height="40" alt="Tidewater"');
    expect(mail.html).toContain('background-color:#8a1c5b');
    expect(mail.html).not.toMatch(/src="http|Tidewater Labs/);
    const logo = mail.attachments.find(({ contentId }) => contentId === '<logo>')!;
    expect(Buffer.from(logo.content as ArrayBuffer)).toEqual(LOGO);
  });

  it('does not change mails to members', async () => {
    await sets(FULL);
    const email = randomEmail();
    await ann.post(`/organizations/${organization.id}/invitations`, { email, roles: ['MEMBER'] }).expect(201);
    const mail = await app.mailbox.latest(email);
    expect(mail.html).toContain('Tidewater Labs Inc.');
    expect(mail.html).not.toMatch(/cid:logo|8a1c5b|beta@tidewater/);
  });
});
