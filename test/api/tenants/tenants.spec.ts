import { randomUUID } from 'node:crypto';
import { credentialAccessOf, type DeclaredRoute, declaredRoutes } from '#app/routes';
import { scope } from '../../support/actors/actors';
import { createTenant, type Tenant } from '../../support/actors/tenant';
import { TestApp } from '../../support/app/test-app';
import { ipa } from '../../support/artifacts/valid-artifacts';
import { comparable, type Ids, idsOf, requestRoute } from '../../support/checks/routes/route-requests';

const CANARY: string = `canary-b-${randomUUID()}`;

/** Bodies that would change something if the request were accepted. Other routes get an empty body. */
const BODIES: Readonly<Record<string, object>> = {
  'POST /webhooks/:webhook_id/resume': { from: 'now' },
  'PATCH /webhooks/:webhook_id': { name: 'Changed' },
  'POST /projects': { name: 'Taken over' },
  'PATCH /projects/:project_id': { name: 'Taken over' },
  'PUT /projects/:project_id/members/:developer_id': { role: 'MANAGE_PROJECT' },
  'PATCH /organizations/:organization_id': { name: 'Taken over' },
  'PATCH /organizations/:organization_id/members/:developer_id': { roles: ['READ'] },
  'POST /organizations/:organization_id/invitations': { email: 'eve@example.com', roles: ['ADMIN'] },
  'POST /project-access-tokens': { name: 'Taken over', role: 'VIEW_PROJECT' },
  'POST /pats': { name: 'Taken over', scopes: ['builds:read'] },
  'PATCH /builds/:build_id': { notes: 'Taken over' },
  'POST /builds/uploads': { file_name: 'Taken over.ipa', size_bytes: 5 },
  'POST /builds/uploads/:upload_id/part-urls': { part_numbers: [1] },
  'POST /channels': { name: 'Taken over' },
  'PATCH /channels/:channel_id': { name: 'Taken over' },
  'POST /testers': { email: 'eve@example.com' },
  'PATCH /testers/:tester_id': { name: 'Taken over' },
  'POST /testers/batch': { testers: [{ email: 'eve@example.com' }] },
  'PATCH /links/:link_id': { name: 'Taken over' },
  'POST /update-keys': { platform: 'ios' },
  'PUT /builds/:build_id/update-signature': { signature: 'c2lnbmF0dXJl' },
  'PATCH /projects/:project_id/min-supported-versions': { ios: '1.2' },
};

describe('two tenants', () => {
  let app: TestApp;
  let a: Tenant;
  let b: Tenant;
  beforeAll(async () => {
    // Without jobs: the mails about the tenants' releases are sent after a minute, and would count as a change.
    app = await TestApp.start({ worker: false });
    [a, b] = await Promise.all([createTenant(app, `tenant-a-${randomUUID()}`), createTenant(app, CANARY)]);
  });
  afterAll(() => app.stop());

  /** All combinations of ids with at least one id of tenant B: `own` has the ids of A, `foreign` those of B. */
  function combinations(route: DeclaredRoute): { own: Ids; foreign: Ids }[] {
    const own = Object.entries(idsOf(a, route));
    const theirs = idsOf(b, route);
    return Array.from({ length: 2 ** own.length - 1 }, (_, index) => index + 1).map((bits) => {
      const isForeign = (position: number): boolean => ((bits >> position) & 1) === 1;
      return {
        own: Object.fromEntries(own.filter((_, position) => !isForeign(position))),
        foreign: Object.fromEntries(
          own.flatMap(([name], position) => (isForeign(position) ? [[name, theirs[name]!]] : [])),
        ),
      };
    });
  }

  /** The state of a tenant: one digest per table over its rows. */
  async function digests({ organization, admin, member }: Tenant): Promise<Record<string, string>> {
    const columns = await app.sql<{ table: string; column: string }>(
      `SELECT c.table_name AS table, c.column_name AS column FROM information_schema.columns c
       JOIN information_schema.tables t USING (table_schema, table_name)
       WHERE table_schema = 'public' AND table_type = 'BASE TABLE'
         AND (column_name IN ('organization_id', 'developer_id') OR (table_name IN ('organization', 'developer') AND column_name = 'id'))`,
    );
    const ids = [organization.id, admin.id, member.id];
    const digest: Record<string, string> = {};
    for (const { table, column } of columns) {
      const text = `SELECT count(*) || ' ' || md5(coalesce(string_agg(t::text, '|' ORDER BY t::text), '')) AS md5 FROM ${table} t WHERE ${column} = ANY($1)`;
      digest[`${table}.${column}`] = (await app.sql<{ md5: string }>(text, [ids]))[0]!.md5;
    }
    return digest;
  }

  const bodyOf = ({ method, path }: DeclaredRoute): { body: string; contentType?: string } => {
    if (`${method} ${path}` === 'POST /releases') return { body: JSON.stringify({ build_id: b.build.id }) };
    if (`${method} ${path}` === 'POST /links')
      return { body: JSON.stringify({ build_id: b.build.id, name: 'Taken over' }) };
    if (`${method} ${path}` !== 'POST /builds') return { body: JSON.stringify(BODIES[`${method} ${path}`] ?? {}) };
    const head = '--limit\r\nContent-Disposition: form-data; name="file"; filename="a.ipa"\r\n\r\n';
    const body = `${head}${ipa().toString('latin1')}\r\n--limit--\r\n`;
    return { body, contentType: 'multipart/form-data; boundary=limit' };
  };

  it('see their own canary, so that a leak would be detected', async () => {
    const routes: string[] = [];
    for (const route of declaredRoutes(app.nest)) {
      const access = credentialAccessOf(route);
      if (!access?.by.includes('jwt') || route.method !== 'GET') continue;
      const { text } = await requestRoute(app.url, route, {
        ids: idsOf(b, route),
        headers: { Authorization: `Bearer ${b.admin.token}` },
      });
      if (text.includes(CANARY)) routes.push(route.path);
    }
    expect(routes).toEqual(
      expect.arrayContaining([
        '/organizations',
        '/projects',
        '/builds',
        '/builds/:build_id',
        '/channels',
        '/channels/:channel_id',
        '/releases',
        '/releases/current/all',
        '/releases/:release_id',
        '/links',
        '/links/:link_id',
        '/pats',
        '/project-access-tokens',
      ]),
    );
    const names = await app.sql(`SELECT DISTINCT table_name FROM information_schema.columns
      WHERE table_schema = 'public' AND column_name = 'organization_id'`);
    const state = await digests(b);
    expect(names.length).toBeGreaterThan(8);
    expect(Object.values(state).filter((digest) => !digest.startsWith('0 ')).length).toBeGreaterThan(10);
  });

  it('get the same response for an id of the other tenant as for an unknown id, and change nothing', async () => {
    const before = await digests(b);
    const credentials = { JWT: a.admin.token, PAT: a.pat.token, 'project token': a.projectToken.token };
    const leaks: object[] = [];
    let requests = 0;
    for (const route of declaredRoutes(app.nest)) {
      if (!credentialAccessOf(route) || Object.keys(idsOf(a, route)).length === 0) continue;
      for (const [name, token] of Object.entries(credentials)) {
        const request = { ...bodyOf(route), headers: { Authorization: `Bearer ${token}` } };
        for (const { own, foreign } of combinations(route)) {
          const missing = Object.fromEntries(Object.keys(foreign).map((key) => [key, randomUUID()]));
          const [foreignId, unknownId] = [
            await requestRoute(app.url, route, { ...request, ids: { ...own, ...foreign } }),
            await requestRoute(app.url, route, { ...request, ids: { ...own, ...missing } }),
          ];
          requests++;
          const same = JSON.stringify(comparable(foreignId)) === JSON.stringify(comparable(unknownId));
          const rejected = [403, 404].includes(foreignId.status);
          if (!same || !rejected || foreignId.text.includes(CANARY)) {
            leaks.push({
              route: route.name,
              name,
              foreign: Object.keys(foreign),
              foreignId: foreignId.text,
              unknownId: unknownId.text,
            });
          }
        }
      }
    }
    // red when: a repository does not filter by organizationId, or a role is checked before the access to the project
    expect(leaks).toEqual([]);
    expect(requests).toBeGreaterThan(200);
    expect(await digests(b)).toEqual(before);
  }, 300_000);

  it('get 404 or 401 from every link and token of a deleted build or project', async () => {
    const file = { bytes: ipa({ info: { CFBundleVersion: '99' } }), fileName: 'Deleted.ipa' };
    const build = await a.admin.uploads(a.project, file);
    const minted = await a.admin.post(`/builds/${build.id}/download-url?${scope(a.project)}`).expect(200);
    const { pathname: ticket } = new URL((minted.body as { url: string }).url);
    const { pathname: link } = new URL(build.install_url);
    const links = [ticket, link, `${link}/manifest.plist`, `${link}/package.ipa`, `${link}/qr.svg`, `${link}/icon.png`];
    for (const each of links.slice(0, 5)) expect((await app.anonymous.head(each)).status).toBe(200);
    await a.admin.delete(`/builds/${build.id}?${scope(a.project)}&permanently=true`).expect(204);
    for (const each of links) expect([each, (await app.anonymous.get(each)).status]).toEqual([each, 404]);

    const project = await a.admin.createsProject(a.organization);
    const ci = app.ci(await a.admin.createsToken(project));
    await ci.get('/builds').expect(200);
    await a.admin.delete(`/projects/${project.id}?organization_id=${a.organization.id}`).expect(204);
    await ci.get('/builds').expect(401);
    await a.admin.get(`/builds?${scope(project)}`).expect(403);
  });

  it('cannot use a cursor of the other tenant to read its list', async () => {
    await b.admin.uploads(b.project, { bytes: ipa({ info: { CFBundleVersion: '2' } }), fileName: 'second.ipa' });
    const page = (await b.admin.get(`/builds?limit=1&${scope(b.project)}`).expect(200)).body as { next_cursor: string };
    const { body } = await a.admin.get(`/builds?cursor=${page.next_cursor}&${scope(a.project)}`).expect(200);
    expect(JSON.stringify(body)).not.toContain(CANARY);
  });

  // red when: a foreign key is dropped, or does not include the organization
  describe('in the database', () => {
    const WITHOUT_REFERENCES = ['invite', 'pinned_bundle_id', 'project_membership', 'tester', 'subscription'];

    /** Inserts a copy of a row of tenant A with the given columns of tenant B. @returns 'accepted', or the SQLSTATE. */
    const insertCrossed = async (table: string, foreign: readonly string[]): Promise<unknown> => {
      const filled = foreign.map((column) => `AND num_nulls(own.${column}, theirs.${column}) = 0`).join(' ');
      const rows = await app.sql<{ own: object; theirs: object }>(
        `SELECT to_jsonb(own) AS own, to_jsonb(theirs) AS theirs FROM ${table} own, ${table} theirs
         WHERE own.organization_id = $1 AND theirs.organization_id = $2 ${filled} LIMIT 1`,
        [a.organization.id, b.organization.id],
      );
      const [{ own, theirs } = { own: {}, theirs: {} }] = rows;
      expect(rows).toHaveLength(1);
      const row: Record<string, unknown> = { ...own };
      for (const column of foreign) row[column] = (theirs as Record<string, unknown>)[column];
      const fresh = `\\x${randomUUID().replaceAll('-', '')}`;
      for (const column of ['digest', 'previous_digest']) if (row[column]) row[column] = fresh;
      if ('id' in row) row['id'] = randomUUID();
      for (const column of ['blob_key', 'email_key', 'name']) if (column in row) row[column] = randomUUID();
      if ('sequence' in row) row['sequence'] = 1_000_000;
      // Rows with further unique constraints are deleted first, so that only a foreign key can reject the insert.
      const deletion = WITHOUT_REFERENCES.includes(table)
        ? `DELETE FROM ${table} WHERE organization_id = ANY($2) RETURNING 1`
        : 'SELECT $2::uuid[]';
      return app
        .sql(
          `WITH deleted AS (${deletion}), first AS (SELECT count(*) FROM deleted)
           INSERT INTO ${table} SELECT crossed.* FROM first, jsonb_populate_record(NULL::${table}, $1) AS crossed`,
          [row, [a.organization.id, b.organization.id]],
        )
        .then(() => 'accepted')
        .catch(({ code }: { code: string }) => code);
    };

    beforeAll(async () => {
      for (const { admin, build, project } of [a, b]) {
        await admin.post(`/builds/${build.id}/download-url?${scope(project)}`).expect(200);
      }
    });

    it.each([
      ['build', ['project_id']],
      ['build', ['organization_id']],
      ['invite', ['build_id']],
      ['invite', ['channel_id']],
      ['invite', ['project_id']],
      ['invite', ['organization_id']],
      ['channel', ['project_id']],
      ['channel', ['organization_id']],
      ['release', ['build_id']],
      ['release', ['channel_id']],
      ['release', ['project_id']],
      ['release', ['organization_id']],
      ['download_ticket', ['build_id']],
      ['download_ticket', ['project_id']],
      ['download_ticket', ['organization_id']],
      ['download_ticket', ['reservation_id']],
      ['project_access_token', ['project_id']],
      ['project_access_token', ['organization_id']],
      ['project_membership', ['developer_id']],
      ['project_membership', ['project_id']],
      ['project_membership', ['organization_id']],
      ['personal_access_token', ['developer_id']],
      ['personal_access_token', ['organization_id']],
      ['pinned_bundle_id', ['project_id']],
      ['pinned_bundle_id', ['organization_id']],
      ['tester', ['project_id']],
      ['tester', ['organization_id']],
      ['subscription', ['channel_id']],
      ['subscription', ['tester_id']],
      ['subscription', ['project_id']],
      ['subscription', ['organization_id']],
    ])('a row of %s cannot combine the ids of tenant A with the %s of tenant B', async (table, columns) => {
      expect(await insertCrossed(table, columns)).toBe('23503');
    });

    it('every foreign key between tenant tables includes the organization', async () => {
      const narrow = await app.sql<{ name: string }>(
        `SELECT k.conname AS name FROM pg_constraint k
         JOIN pg_attribute child ON child.attrelid = k.conrelid AND child.attname = 'organization_id' AND NOT child.attisdropped
         JOIN pg_attribute parent ON parent.attrelid = k.confrelid AND parent.attname = 'organization_id' AND NOT parent.attisdropped
         WHERE k.contype = 'f' AND k.connamespace = 'public'::regnamespace AND NOT (child.attnum = ANY(k.conkey) AND parent.attnum = ANY(k.confkey))`,
      );
      expect(narrow).toEqual([]);
    });
  });
});
