import { BillingService } from '#modules/billing';
import { type Bearer, type Developer, type OrganizationRef, scope } from '../../support/actors/actors';
import { TestApp } from '../../support/app/test-app';
import { ipa } from '../../support/artifacts/valid-artifacts';

const ID = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/) as string;
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;
const UNKNOWN_ID = '019a9d5e-7c1a-7b3e-9c55-0c8f4a6b2d10';

interface ProjectJson {
  readonly id: string;
  readonly name: string;
}
interface ProjectList {
  readonly items: readonly ProjectJson[];
  readonly next_cursor: string | null;
}

describe('organizations and projects', () => {
  let app: TestApp;
  let ann: Developer;
  let bob: Developer;
  let organization: OrganizationRef;
  beforeAll(async () => {
    app = await TestApp.start();
    [ann, bob] = [await app.developer(), await app.developer()];
    organization = await ann.createsOrganization();
    await joins(bob, organization, ['READ']);
  });
  afterAll(() => app.stop());

  /** Adds a member without an invitation mail. */
  const joins = (developer: Developer, { id }: OrganizationRef, roles: string[]) =>
    app.sql(`INSERT INTO membership (organization_id, developer_id, roles, created_at) VALUES ($1, $2, $3, now())`, [
      id,
      developer.id,
      roles,
    ]);
  const list = async (who: Bearer, { id }: OrganizationRef, query = ''): Promise<ProjectList> =>
    (await who.get(`/projects?organization_id=${id}${query}`).expect(200)).body as ProjectList;

  it('let an ADMIN create, read, rename and delete an organization', async () => {
    const created = await ann.post('/organizations', { name: '  Example Inc.  ' }).expect(201);
    const { id } = created.body as { id: string };
    const shape = { id: ID, name: 'Example Inc.', plan: 'team', roles: ['ADMIN'], created_at: TIME };
    expect(created.body).toEqual(shape);
    expect((await ann.get(`/organizations/${id}`).expect(200)).body).toEqual(created.body);
    expect((await ann.get('/organizations').expect(200)).body).toContainEqual(created.body);
    const renamed = await ann.patch(`/organizations/${id}`, { name: 'Other' }).expect(200);
    expect(renamed.body).toEqual({ ...(created.body as object), name: 'Other' });
    expect((await ann.patch(`/organizations/${id}`, {}).expect(200)).body).toEqual(renamed.body);
    expect((await ann.delete(`/organizations/${id}`).expect(204)).text).toBe('');
    expect((await ann.get(`/organizations/${id}`).expect(403)).body).toMatchObject({ error: 'permission_denied' });
    await ann.delete(`/organizations/${id}`).expect(403);
    expect(JSON.stringify((await ann.get('/organizations')).body)).not.toContain(id);
  });

  it('let an ADMIN create, read, change and delete a project', async () => {
    const path = `/projects?organization_id=${organization.id}`;
    const created = await ann.post(path, { name: 'Demo' }).expect(201);
    const project = created.body as ProjectJson;
    expect(project).toEqual({
      id: ID,
      organization_id: organization.id,
      name: 'Demo',
      allow_any_bundle_id: false,
      language: 'en',
      signing_expiry_mails: true,
      branch_channels: null,
      created_at: TIME,
      icon_url: null,
    });
    const one = `/projects/${project.id}?organization_id=${organization.id}`;
    expect((await bob.get(one).expect(200)).body).toEqual(project);
    expect((await list(bob, organization)).items).toContainEqual(project);
    const changed = await ann.patch(one, { allow_any_bundle_id: true, language: 'de' }).expect(200);
    expect(changed.body).toEqual({ ...project, allow_any_bundle_id: true, language: 'de' });
    expect((await ann.patch(one, { name: 'Renamed' }).expect(200)).body).toEqual({
      ...project,
      name: 'Renamed',
      allow_any_bundle_id: true,
      language: 'de',
    });
    await ann.delete(one).expect(204);
    // A deleted project is rejected like a project that the developer may not see.
    for (const request of [ann.get(one), ann.delete(one)]) {
      expect((await request.expect(403)).body).toMatchObject({ error: 'permission_denied' });
    }
  });

  it('let READ read but not change them, and do not reveal their existence to other developers', async () => {
    const project = await ann.createsProject(organization);
    const one = `/projects/${project.id}?organization_id=${organization.id}`;
    const eve = await app.developer();
    for (const [request, role] of [
      [() => bob.patch(`/organizations/${organization.id}`, { name: 'x' }), 'ADMIN'],
      [() => bob.delete(`/organizations/${organization.id}`), 'ADMIN'],
      [() => bob.post(`/projects?organization_id=${organization.id}`, { name: 'x' }), 'MANAGER'],
      [() => bob.delete(one), 'MANAGER'],
      [() => bob.patch(one, { name: 'x' }), 'MANAGE_PROJECT'],
    ] as const) {
      expect((await request().expect(403)).body).toMatchObject({
        error: 'insufficient_role',
        details: { required_role: role },
      });
    }
    const responses = await Promise.all(
      [organization.id, UNKNOWN_ID].flatMap((id) => [
        eve.get(`/organizations/${id}`),
        eve.get(`/projects?organization_id=${id}`),
        eve.get(`/projects/${project.id}?organization_id=${id}`),
        eve.post(`/projects?organization_id=${id}`, { name: 'x' }),
        eve.delete(`/organizations/${id}`),
      ]),
    );
    const errors = responses.map(({ status, body }) => {
      const { error, message } = body as { error: string; message: string };
      return { status, error, message };
    });
    expect(errors.slice(0, 5)).toEqual(errors.slice(5));
    for (const error of errors) expect(error).toMatchObject({ status: 403, error: 'permission_denied' });
    const own = await eve.createsOrganization();
    const elsewhere = await eve.get(`/projects/${project.id}?organization_id=${own.id}`).expect(403);
    expect(elsewhere.body).toMatchObject({ error: 'permission_denied' });
  });

  it('cannot be deleted while they contain a project or build', async () => {
    const own = await ann.createsOrganization();
    const project = await ann.createsProject(own);
    const build = await ann.uploads(project, { bytes: ipa(), fileName: 'Demo.ipa' });
    const one = `/projects/${project.id}?organization_id=${own.id}`;
    for (const path of [`/organizations/${own.id}`, one]) {
      expect((await ann.delete(path).expect(409)).body).toMatchObject({ error: 'dependency_exists' });
      await ann.get(path).expect(200);
    }
    await ann.delete(`/builds/${build.id}?${scope(project)}&permanently=true`).expect(204);
    await ann.delete(one).expect(204);
    await ann.delete(`/organizations/${own.id}`).expect(204);
  });

  // red when: the deletion closes the account, and deletes by cascade, before a foreign key rejects it
  it('refuse to be deleted before any work', async () => {
    const own = await ann.createsOrganization();
    await ann.createsProject(own);
    const closing = jest.spyOn(app.nest.get(BillingService, { strict: false }), 'closeAccount');
    try {
      const { body } = await ann.delete(`/organizations/${own.id}`).expect(409);
      expect(body).toMatchObject({ message: 'A project still uses it. Delete that first.' });
      expect(closing).not.toHaveBeenCalled();
    } finally {
      closing.mockRestore();
    }
  });

  it('are deleted once, and get no project, under concurrent requests', async () => {
    for (let round = 0; round < 4; round++) {
      const own = await ann.createsOrganization();
      const [created, ...deleted] = await Promise.all([
        ann.post(`/projects?organization_id=${own.id}`, { name: 'Late' }),
        ann.delete(`/organizations/${own.id}`),
        ann.delete(`/organizations/${own.id}`),
      ]);
      const isDeleted = deleted.some(({ status }) => status === 204);
      expect(created.status === 201).toBe(!isDeleted);
      expect(deleted.map(({ status }) => status).sort()).toEqual(isDeleted ? [204, 403] : [409, 409]);
      if (!isDeleted) {
        await ann.delete(`/projects/${(created.body as ProjectJson).id}?organization_id=${own.id}`).expect(204);
        await ann.delete(`/organizations/${own.id}`).expect(204);
      }
    }
  });

  it('keep project names unique within an organization under concurrent requests', async () => {
    const [one, other] = [await ann.createsOrganization(), await ann.createsOrganization()];
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => ann.post(`/projects?organization_id=${one.id}`, { name: 'Same' })),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 9 }, () => 409)]);
    const refused = responses.find(({ status }) => status === 409);
    expect(refused?.body).toMatchObject({ error: 'already_exists' });
    await ann.post(`/projects?organization_id=${other.id}`, { name: 'Same' }).expect(201);
    const another = await ann.createsProject(one, 'Another');
    const renamed = await ann.patch(`/projects/${another.id}?organization_id=${one.id}`, { name: 'Same' }).expect(409);
    expect(renamed.body).toMatchObject({ error: 'already_exists' });
  });

  it('reject unknown fields and missing or malformed parents', async () => {
    const project = await ann.createsProject(organization);
    const parent = `organization_id=${organization.id}`;
    for (const request of [
      ann.post('/organizations', { name: 'a', plan: 'business' }),
      ann.patch(`/organizations/${organization.id}`, { nmae: 'a' }),
      ann.post(`/projects?${parent}`, { name: 'a', organization_id: UNKNOWN_ID }),
      ann.patch(`/projects/${project.id}?${parent}`, { allowAnyBundleId: true }),
      ann.post(`/projects?${parent}`, { name: 'a', allow_any_bundle_id: 'yes' }),
      ann.post(`/projects?${parent}`, { name: 'a', language: 'fr' }),
      ann.get('/projects'),
      ann.post('/projects', { name: 'a' }),
      ann.get(`/projects/${project.id}`),
      ...['', '1', UNKNOWN_ID.slice(1), `${UNKNOWN_ID}'`, '%00'].map((id) =>
        ann.get(`/projects?organization_id=${id}`),
      ),
      ann.get(`/projects?${parent}&${parent}`),
      ann.get(`/projects?organization_id[x]=${organization.id}`),
      ann.get(`/projects/1?${parent}`),
      ann.get('/organizations/1'),
    ]) {
      const { status, body } = await request;
      expect([request.url, status, (body as { error: string }).error]).toEqual([request.url, 400, 'validation_error']);
    }
    await ann.get(`/projects?${parent}&unknown=1`).expect(200);
  });

  describe('the project list', () => {
    let paged: OrganizationRef;
    let newestFirst: string[];
    beforeAll(async () => {
      paged = await ann.createsOrganization();
      newestFirst = [];
      for (let n = 0; n < 5; n++) newestFirst.unshift((await ann.createsProject(paged)).id);
    });

    const idsOf = ({ items }: ProjectList): string[] => items.map(({ id }) => id);

    // red when: a page starts with the last row of the previous page
    it.each([1, 2, 5])('in pages of %i, contains every project once, newest first', async (limit) => {
      const seen: string[] = [];
      let cursor: string | null = '';
      for (let pages = 0; cursor !== null && pages < 10; pages++) {
        const page: ProjectList = await list(ann, paged, `&limit=${limit}&cursor=${cursor}`);
        expect(page.items.length).toBeLessThanOrEqual(limit);
        seen.push(...idsOf(page));
        cursor = page.next_cursor;
      }
      expect(cursor).toBeNull();
      expect(seen).toEqual(newestFirst);
    });

    it('continues after the cursor when a project was created or deleted', async () => {
      const first = await list(ann, paged, '&limit=2');
      const newest = await ann.createsProject(paged);
      await ann.delete(`/projects/${first.items[1]?.id}?organization_id=${paged.id}`).expect(204);
      const rest = await list(ann, paged, `&cursor=${first.next_cursor}`);
      expect(idsOf(rest)).toEqual(newestFirst.slice(2));
      newestFirst = [newest.id, newestFirst[0] ?? '', ...newestFirst.slice(2)];
    });

    it.each(['x', 'A'.repeat(21), 'A'.repeat(500), UNKNOWN_ID, '..%2F..', '-1', "'%20OR%201=1"])(
      'starts with the first page for the malformed cursor %s',
      async (cursor) => {
        expect(idsOf(await list(ann, paged, `&cursor=${cursor}`))).toEqual(newestFirst);
      },
    );

    it('ignores the cursor of another organization', async () => {
      const foreign = (await list(ann, paged, '&limit=1')).next_cursor;
      const other = await ann.createsOrganization();
      const projects = [await ann.createsProject(other), await ann.createsProject(other)].map(({ id }) => id);
      const shown = idsOf(await list(ann, other, `&cursor=${foreign}`));
      expect(projects).toEqual(expect.arrayContaining(shown));
    });

    it.each(['0', '-1', 'abc', '1.5', '', '1e3', '%201', '0x10'])('rejects the limit "%s"', async (limit) => {
      const { body } = await ann.get(`/projects?organization_id=${paged.id}&limit=${limit}`).expect(400);
      expect(body).toMatchObject({ error: 'validation_error' });
    });

    it('treats a limit above 1000 as 1000', async () => {
      const many = await ann.createsOrganization();
      await app.sql(
        `INSERT INTO project (id, organization_id, name, allow_any_bundle_id, created_at)
         SELECT gen_random_uuid(), $1, 'Project ' || n, false, now() FROM generate_series(1, 1001) n`,
        [many.id],
      );
      const page = await list(ann, many, '&limit=5000');
      expect(page.items).toHaveLength(1000);
      expect(page.next_cursor).toEqual(expect.any(String));
      expect((await list(ann, many)).items).toHaveLength(100);
    });
  });
});

describe('quotas of organizations and projects', () => {
  const LIMIT = 3;
  let app: TestApp;
  beforeAll(async () => {
    const limit = String(LIMIT);
    app = await TestApp.start({
      environment: { MAX_ORGANIZATIONS_PER_DEVELOPER: limit, QUOTA_PROJECTS_PER_ORGANIZATION: limit },
    });
  });
  afterAll(() => app.stop());

  const twentyConcurrently = async (ann: Developer, ...paths: string[]) => {
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, n) => ann.post(paths[n % paths.length] ?? '', { name: `Number ${n}` })),
    );
    const refused = responses.filter(({ status }) => status === 400);
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(LIMIT);
    expect(refused).toHaveLength(20 - LIMIT);
    return refused.map(({ body }) => body as object);
  };

  // red when: lockAndCount does not lock, or each spelling of the organization's id has its own lock
  it('are exact for twenty concurrent requests, and a deletion makes room', async () => {
    const ann = await app.developer();
    for (const body of await twentyConcurrently(ann, '/organizations')) {
      expect(body).toMatchObject({ error: 'quota_exceeded', details: { limit: LIMIT } });
    }
    const organizations = (await ann.get('/organizations').expect(200)).body as OrganizationRef[];
    expect(organizations).toHaveLength(LIMIT);
    const [{ id } = { id: '' }, last] = organizations;
    await ann.delete(`/organizations/${last?.id}`).expect(204);
    await ann.createsOrganization();

    const spellings = [id, id.toUpperCase()].map((spelling) => `/projects?organization_id=${spelling}`);
    for (const body of await twentyConcurrently(ann, ...spellings)) {
      expect(body).toMatchObject({ error: 'quota_exceeded', details: { limit: LIMIT } });
    }
    const { items } = (await ann.get(`/projects?organization_id=${id}`).expect(200)).body as ProjectList;
    expect(items).toHaveLength(LIMIT);
    await ann.delete(`/projects/${items[0]?.id}?organization_id=${id}`).expect(204);
    await ann.createsProject({ id });
  });
});
