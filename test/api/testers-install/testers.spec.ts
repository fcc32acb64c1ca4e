import { randomUUID } from 'node:crypto';
import { CSV_CASES, ENCODED_TESTERS } from '../../fixtures/csv/csv-cases';
import { type Developer, type OrganizationRef, type ProjectRef, scope } from '../../support/actors/actors';
import { createTenant, type Tenant } from '../../support/actors/tenant';
import { TestApp } from '../../support/app/test-app';

interface TesterJson {
  readonly id: string;
  readonly email: string;
  readonly name: string | null;
}

interface ImportJson {
  readonly created: number;
  readonly existing: number;
  readonly testers: { id: string; email: string; outcome: string }[];
}

const QUOTA = 12;

describe('testers', () => {
  let app: TestApp;
  let ann: Developer;
  let organization: OrganizationRef;
  let project: ProjectRef;
  let query: string;

  beforeAll(async () => {
    app = await TestApp.start({ environment: { QUOTA_TESTERS_PER_PROJECT: String(QUOTA) } });
    ann = await app.developer();
    organization = await ann.createsOrganization();
  });
  afterAll(() => app.stop());
  beforeEach(async () => {
    project = await ann.createsProject(organization);
    query = scope(project);
  });

  const adds = async (email: string, name?: string): Promise<TesterJson> =>
    (await ann.post(`/testers?${query}`, { email, ...(name && { name }) }).expect(201)).body as TesterJson;
  const list = async (more = ''): Promise<{ items: TesterJson[]; next_cursor: string | null }> =>
    (await ann.get(`/testers?${query}${more}`).expect(200)).body as Awaited<ReturnType<typeof list>>;
  const imports = (csv: string | Buffer) =>
    ann.request('post', `/testers/import?${query}`).set('Content-Type', 'text/csv').send(csv);
  const batch = (testers: object[]) => ann.post(`/testers/batch?${query}`, { testers });

  describe('in single requests', () => {
    it('are added, read, renamed and listed newest first', async () => {
      const tess = await adds('  Tess.Smith@Example.COM ', 'Tess');
      expect(tess).toEqual({
        id: expect.any(String),
        organization_id: project.organizationId,
        project_id: project.id,
        email: 'Tess.Smith@Example.COM',
        name: 'Tess',
        declined: false,
        subscriptions: [],
        state: 'added',
        invited_at: null,
        opened_at: null,
        bounced_at: null,
        bounce_code: null,
        last_download: null,
        created_at: expect.stringMatching(/Z$/),
      });
      const bob = await adds('bob@example.com');
      expect((await ann.get(`/testers/${tess.id}?${query}`).expect(200)).body).toEqual(tess);
      const renamed = (await ann.patch(`/testers/${bob.id}?${query}`, { name: 'Bob' }).expect(200)).body as TesterJson;
      expect(renamed).toEqual({ ...bob, name: 'Bob' });
      expect((await ann.patch(`/testers/${bob.id}?${query}`).expect(200)).body).toEqual(renamed);
      expect((await ann.patch(`/testers/${bob.id}?${query}`, { name: null }).expect(200)).body).toEqual(bob);
      expect((await list()).items).toEqual([bob, tess]);
    });

    it('are unique by address within a project, ignoring case', async () => {
      await adds('Tess@Example.com');
      const { body } = await ann.post(`/testers?${query}`, { email: 'tess@EXAMPLE.com' }).expect(409);
      expect(body).toMatchObject({ error: 'already_exists' });
      await adds('tess+ios@example.com');
      // Another project can have the address too.
      query = scope(await ann.createsProject(organization));
      await adds('tess@example.com');
    });

    it.each([
      '',
      'tess',
      'tess@',
      'a@b, c@d',
      'tess@example.com\r\nBcc: eve@example.com',
      '"a b"@example.com',
      'ada\u200b@example.com',
      'ada@exam\u00adple.com',
      7,
      null,
    ])('are rejected with the address %j', async (email) => {
      expect((await ann.post(`/testers?${query}`, { email }).expect(400)).body).toMatchObject({
        error: 'validation_error',
        details: { fields: [{ field: 'email' }] },
      });
    });

    // red when: an address that was pasted with an invisible character is another address, which gets no mail
    it.each(['\u200b', '\u200f', '\u00ad', '\u2060', ' \u00a0\ufeff'])(
      'are added without %j at the ends',
      async (invisible) => {
        const email = `ends-${invisible.codePointAt(0)}@example.com`;
        expect((await adds(`${invisible}${email}${invisible}`)).email).toBe(email);
        await ann.post(`/testers?${query}`, { email: `${email}${invisible}` }).expect(409);
        const csv = `email\n${invisible}csv-${email}${invisible}\n`;
        const imported = await ann
          .request('post', `/testers/import?${query}`)
          .set('Content-Type', 'text/csv')
          .send(csv);
        expect(imported.body).toMatchObject({ testers: [{ email: `csv-${email}`, outcome: 'created' }] });
      },
    );

    it('are found by address and by text, and listed page by page', async () => {
      for (const name of ['Alpha', 'Beta', 'Gamma']) await adds(`${name}@example.com`, `The ${name}`);
      const found = async (more: string): Promise<string[]> => (await list(more)).items.map(({ email }) => email);
      expect(await found('&email=BETA@example.com')).toEqual(['Beta@example.com']);
      expect(await found('&q=the%20g')).toEqual(['Gamma@example.com']);
      expect(await found('&q=%25')).toEqual([]);
      const first = await list('&limit=2');
      const second = await list(`&limit=2&cursor=${first.next_cursor}`);
      expect([...first.items, ...second.items].map(({ name }) => name)).toEqual(['The Gamma', 'The Beta', 'The Alpha']);
      expect(second.next_cursor).toBeNull();
    });

    it('cannot exceed the quota when added concurrently', async () => {
      const responses = await Promise.all(
        Array.from({ length: QUOTA + 8 }, (_, index) =>
          ann.post(`/testers?${query}`, { email: `t${index}@example.com` }),
        ),
      );
      // red when: the lock is not taken before counting
      expect(responses.filter(({ status }) => status === 201)).toHaveLength(QUOTA);
      for (const { body } of responses.filter(({ status }) => status !== 201)) {
        expect(body).toMatchObject({
          error: 'quota_exceeded',
          details: { quota: 'testers_per_project', limit: QUOTA },
        });
      }
    });

    it('are added with the same response whether or not the address belongs to a developer', async () => {
      const shapeOf = ({ status, body, headers }: { status: number; body: object; headers: object }) => ({
        status,
        keys: Object.keys(body),
        headers: Object.keys(headers),
      });
      const known = await ann.post(`/testers?${query}`, { email: ann.email }).expect(201);
      const unknown = await ann.post(`/testers?${query}`, { email: `${randomUUID()}@example.com` }).expect(201);
      expect(shapeOf(known)).toEqual(shapeOf(unknown));
    });
  });

  describe('in a batch', () => {
    it('are added, and existing testers are reported', async () => {
      const tess = await adds('tess@example.com');
      const { body } = await batch([
        { email: 'new@example.com', name: 'New' },
        { email: 'TESS@example.com' },
        { email: 'New@Example.com' },
      ]).expect(200);
      const { testers, ...counts } = body as ImportJson;
      expect(counts).toEqual({ created: 1, existing: 2, suppressed: 0 });
      expect(testers.map(({ outcome }) => outcome)).toEqual(['created', 'existing', 'existing']);
      expect(testers[1]!.id).toBe(tess.id);
      expect(testers[2]!.id).toBe(testers[0]!.id);
    });

    it('are only counted in a dry run, with the errors of a real one', async () => {
      const tess = await adds('tess@example.com');
      const dry = (testers: object[]) => ann.post(`/testers/batch?${query}&dry_run=true`, { testers });
      const { body } = await dry([{ email: 'new@example.com' }, { email: 'TESS@example.com' }]).expect(200);
      expect(body).toEqual({
        created: 1,
        existing: 1,
        suppressed: 0,
        testers: [
          { id: null, email: 'new@example.com', outcome: 'created' },
          { id: tess.id, email: 'TESS@example.com', outcome: 'existing' },
        ],
      });
      await dry([{ email: 'bad' }]).expect(400);
      const many = Array.from({ length: QUOTA }, (_, index) => ({ email: `t${index}@example.com` }));
      expect((await dry(many).expect(400)).body).toMatchObject({ error: 'quota_exceeded' });
      expect((await list()).items).toEqual([tess]);
    });

    // red when: an item that is an array passes, because validation visits its items instead of it
    it.each([[[]], [[{ email: 'tess@example.com' }]]])('are rejected when an item is an array: %j', async (item) => {
      const { body } = await ann
        .post(`/testers/batch?${query}`, { testers: [{ email: 'ok@example.com' }, item] })
        .expect(400);
      expect(body).toMatchObject({ error: 'validation_error', details: { fields: [{ field: 'testers' }] } });
      expect((await list()).items).toEqual([]);
    });

    it('are all added or none', async () => {
      const rejected = await batch([{ email: 'good@example.com' }, { email: 'bad' }]).expect(400);
      expect(rejected.body).toMatchObject({ details: { fields: [{ field: 'testers.1.email' }] } });
      const many = Array.from({ length: QUOTA + 1 }, (_, index) => ({ email: `t${index}@example.com` }));
      expect((await batch(many).expect(400)).body).toMatchObject({ error: 'quota_exceeded' });
      expect((await list()).items).toEqual([]);
      await batch(many.slice(1)).expect(200);
      expect((await list()).items).toHaveLength(QUOTA);
    });

    it.each([[[]], [Array.from({ length: 1001 }, () => ({ email: 'a@example.com' }))]])(
      'must be between 1 and 1000 (%#)',
      async (testers) => {
        expect((await batch(testers).expect(400)).body).toMatchObject({ error: 'validation_error' });
      },
    );
  });

  // red when: a route lacks its @BodyLimit, so that the response is 413
  it('are accepted in a batch or file of more than 64 KiB', async () => {
    const name = 'n'.repeat(100);
    const many = Array.from({ length: 1000 }, (_, index) => ({ email: `t${index}@example.com`, name }));
    const csv = `email,name\n${many.map(({ email }) => `${email},${name}`).join('\n')}`;
    for (const { body } of [await batch(many).expect(400), await imports(csv).expect(400)])
      expect(body).toMatchObject({ error: 'quota_exceeded' });
  });

  describe('in a CSV file', () => {
    it.each([
      ['commas', 'email,name\ntess@example.com,"Smith, Tess"\n\nbob@example.com,\n'],
      [
        'semicolons and a byte order mark',
        '\ufeffName;E-Mail;EMAIL\r\nSmith, Tess;x;tess@example.com\r\n;;bob@example.com',
      ],
      ['tabs', 'email\tname\ntess@example.com\tSmith, Tess\nbob@example.com'],
    ])('are imported with %s', async (_kind, csv) => {
      const { body } = await imports(csv).expect(200);
      expect(body).toMatchObject({ created: 2, existing: 0 });
      expect((await list()).items.map(({ email, name }) => [email, name])).toEqual(
        expect.arrayContaining([
          ['tess@example.com', 'Smith, Tess'],
          ['bob@example.com', null],
        ]),
      );
    });

    // red when: the body is decoded as UTF-8
    it.each(ENCODED_TESTERS)('are imported from %s', async (_encoding, bytes) => {
      await imports(bytes).expect(200);
      expect((await list()).items.map(({ email, name }) => [email, name])).toEqual([['a@x.de', 'Jörg']]);
    });

    it('are imported or rejected as every reader of such files does', async () => {
      for (const { of, text, testers } of CSV_CASES) {
        const { status } = await imports(text).query({ dry_run: true });
        expect([of, status]).toEqual([of, testers ? 200 : 400]);
      }
    });

    it('are not imported when a line is wrong, and the error names each wrong line', async () => {
      const csv = `email,name\ngood@example.com,Good\nbad,Bad\n${'x'.repeat(9)}@example.com,${'n'.repeat(101)}\n`;
      expect((await imports(csv).expect(400)).body).toMatchObject({
        error: 'validation_error',
        details: { fields: [{ field: 'line 3' }, { field: 'line 4' }] },
      });
      expect((await list()).items).toEqual([]);
    });

    it.each([
      ['no email column', 'name\nTess'],
      ['an open quote', 'email,name\n"tess@example.com,Tess'],
      ['nothing', ''],
      ['101 columns', `email${',x'.repeat(100)}\ntess@example.com`],
      ['10,001 lines', `email\n${'tess@example.com\n'.repeat(10_001)}`],
      ['Latin-1', Buffer.from('email,name\ntess@example.com,J\xf6rg', 'latin1')],
      ['NUL', 'email,name\ntess@example.com,a\u0000b'],
    ])('are rejected with %s', async (_what, csv) => {
      expect((await imports(csv).expect(400)).body).toMatchObject({
        error: 'validation_error',
        details: { fields: [expect.anything()] },
      });
    });

    it('are rejected with another media type', async () => {
      await ann.post(`/testers/import?${query}`, { email: 'tess@example.com' }).expect(400);
    });

    it('are exported without formulas, and an import of the export restores them', async () => {
      await adds('+tess@example.com', '=HYPERLINK("http://evil.example","x")');
      await adds('quote@example.com', "'quoted', name");
      const exported = await ann.get(`/testers/export?${query}`).expect(200);
      expect(exported.headers).toMatchObject({
        'content-type': expect.stringContaining('text/csv; charset=utf-8'),
        'content-disposition': expect.stringMatching(/^attachment; filename=.?testers\.csv/),
        'cache-control': 'no-store',
      });
      const [header, ...lines] = exported.text.trim().split('\r\n');
      expect(header).toBe(
        'email,name,id,created_at,bounced_at,bounce_code,state,channels,last_version,last_build_number,last_platform,last_download_at,invited_at,opened_at,has_current',
      );
      // red when: escape_formulas is off
      for (const line of lines) expect(line).not.toMatch(/(^|,)"?[=+\-@]/);
      const before = (await list()).items.map(({ email, name }) => [email, name]);
      query = scope(await ann.createsProject(organization));
      await imports(exported.text).expect(200);
      const after = (await list()).items.map(({ email, name }) => [email, name]);
      expect(after).toEqual(expect.arrayContaining(before));
      expect(after).toHaveLength(before.length);
    });
  });

  describe('with roles', () => {
    it('are listed with VIEW_PROJECT, and changed and exported with MANAGE_TESTERS', async () => {
      const ci = app.ci(await ann.createsToken(project, 'UPLOAD_BUILD'));
      await ci.get('/testers').expect(200);
      for (const rejected of [await ci.post('/testers', { email: 'x@example.com' }), await ci.get('/testers/export')]) {
        expect([rejected.status, rejected.body]).toMatchObject([
          403,
          { error: 'insufficient_role', details: { required_role: 'MANAGE_TESTERS' } },
        ]);
      }
      await app
        .ci(await ann.createsToken(project, 'MANAGE_TESTERS'))
        .post('/testers', { email: 'x@example.com' })
        .expect(201);
    });
  });

  describe('when erased', () => {
    it('leave their address neither in the database nor in the log', async () => {
      const mark = `erase-${randomUUID()}`;
      const tenant: Tenant = await createTenant(app);
      const path = `/testers/${tenant.testerId}?${scope(tenant.project)}`;
      await app.sql('UPDATE tester SET email = $2, email_key = $2, name = $3 WHERE id = $1', [
        tenant.testerId,
        `${mark}@example.com`,
        mark,
      ]);
      await tenant.admin.patch(path, { name: mark }).expect(200);
      expect(await tablesWith(mark)).toEqual(['tester']);
      await tenant.admin.delete(path).expect(204);
      expect(await tablesWith(mark)).toEqual([]);
      expect(app.logLines.join('')).not.toContain(mark);
      await tenant.admin.get(path).expect(404);
      await tenant.admin.delete(path).expect(404);
    });

    const tablesWith = async (text: string): Promise<string[]> => {
      const tables = await app.sql<{ name: string }>(
        `SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
         WHERE table_type = 'BASE TABLE' AND table_schema IN ('public', 'graphile_worker')`,
      );
      const found: string[] = [];
      for (const { name } of tables) {
        const rows = await app.sql(`SELECT FROM ${name} AS t WHERE to_jsonb(t)::text ILIKE $1 LIMIT 1`, [`%${text}%`]);
        if (rows.length > 0) found.push(name.replace('public.', ''));
      }
      return found;
    };
  });

  it('are recorded in the audit feed by id, without their addresses', async () => {
    const tess = await adds('audited@example.com', 'Audited');
    await ann.patch(`/testers/${tess.id}?${query}`, { name: 'Other' }).expect(200);
    await ann.delete(`/testers/${tess.id}?${query}`).expect(204);
    await imports('email\naudited@example.com').expect(200);
    const events = await app.sql<{ type: string; payload: object }>(
      'SELECT type, payload FROM audit_event WHERE project_id = $1 ORDER BY id',
      [project.id],
    );
    expect(events.slice(1)).toEqual([
      { type: 'tester.created', payload: { tester_id: tess.id } },
      { type: 'tester.updated', payload: { tester_id: tess.id } },
      { type: 'tester.erased', payload: { tester_id: tess.id } },
      { type: 'testers.imported', payload: { created: 1 } },
    ]);
    expect(JSON.stringify(await app.sql('SELECT * FROM audit_event'))).not.toContain('audited@');
  });
});
