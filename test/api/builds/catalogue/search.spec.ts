import { type PatScope } from '#kernel/access/roles';
import { SearchRepository } from '../../../../src/read-models/search/search.repository';
import { type Developer, type OrganizationRef, type ProjectRef } from '../../../support/actors/actors';
import { createTenant, type Tenant, verifiedDeveloper } from '../../../support/actors/tenant';
import { TestApp } from '../../../support/app/test-app';
import { plansOf, rowsRead } from '../../../support/checks/statement-plans';
import { until } from '../../../support/until';

interface FoundJson {
  readonly projects: { id: string; name: string }[];
  readonly builds: { id: string; version: string; build_number: string | null; project_name: string }[];
  readonly channels: { id: string; name: string }[];
  readonly testers: { id: string; email: string; name: string | null }[];
}

describe('the search', () => {
  let app: TestApp;
  let tenant: Tenant;
  let ann: Developer;
  let organization: OrganizationRef;
  let rocket: ProjectRef;
  let secret: ProjectRef;
  beforeAll(async () => {
    app = await TestApp.start();
    tenant = await createTenant(app, 'Zebra');
    ann = tenant.admin;
    organization = tenant.organization;
    rocket = await ann.createsProject(organization, 'Rocket');
    secret = await ann.createsProject(organization, 'Secret plans');
    for (const project of [rocket, secret]) {
      await plantBuilds(project, ['2.1.0', '12.1.0', '2.1.0-beta', '3.0.0']);
      await ann.createsChannel(project, 'Nightly 100%');
      await ann.createsChannel(project, 'Nightly 1000');
      const testers = [
        { email: 'tess.under_score@example.com', name: 'Tess' },
        { email: 'tess.underXscore@example.com', name: 'Bob O\'Neil \\ "Junior"' },
      ];
      const query = `organization_id=${organization.id}&project_id=${project.id}`;
      await ann.post(`/testers/batch?${query}`, { testers }).expect(200);
    }
  });
  afterAll(() => app.stop());

  /** Copies the tenant's build, with other versions. */
  const plantBuilds = async (project: ProjectRef, versions: readonly string[], count = 1): Promise<void> => {
    for (const version of versions) {
      await app.sql(
        `INSERT INTO build SELECT copy.* FROM build AS b, generate_series(1, $4) AS n, jsonb_populate_record(NULL::build, to_jsonb(b)
           || jsonb_build_object('id', uuidv7(), 'project_id', $2::uuid, 'organization_id', $5::uuid, 'version', $3::text, 'build_number', '7' || n,
                'blob_key', gen_random_uuid(), 'branch', 'feature/login', 'commit', 'abc123')) AS copy
         WHERE b.id = $1`,
        [tenant.build.id, project.id, version, count, project.organizationId],
      );
    }
  };
  const find = async (q: string, reader: { get: Developer['get'] } = ann): Promise<FoundJson> => {
    const query = new URLSearchParams({ organization_id: organization.id, q }).toString();
    return (await reader.get(`/search?${query}`).expect(200)).body as FoundJson;
  };
  const versionsOf = ({ builds }: FoundJson): string[] => builds.map(({ version }) => version);

  it('finds builds by version, the exact one first', async () => {
    const found = await find('2.1.0');
    expect(versionsOf(found)).toHaveLength(5);
    expect(versionsOf(found).slice(0, 4)).toEqual(['2.1.0', '2.1.0', '2.1.0-beta', '2.1.0-beta']);
    expect(found.builds[0]).toMatchObject({ build_number: '71', platform: 'ios', branch: 'feature/login' });
    for (const q of ['ABC123', 'Feature/Login', '71']) expect((await find(q)).builds).toHaveLength(5);
  });

  it('finds a word in the name of the project together with a word of the build', async () => {
    const { projects, builds } = await find('rocket 3.0');
    expect(projects).toEqual([]);
    expect(builds).toEqual([expect.objectContaining({ version: '3.0.0', project_name: 'Rocket' })]);
    // The project itself is the result, not everything in it.
    expect(await find('Rocket')).toMatchObject({
      projects: [{ name: 'Rocket' }],
      builds: [],
      channels: [],
      testers: [],
    });
  });

  // red when: "main ios" finds nothing, because only the branch is searched
  it('finds a build by its platform together with another word', async () => {
    const { platform } = tenant.build;
    const other = platform === 'ios' ? 'android' : 'ios';
    expect(versionsOf(await find(`rocket 3.0.0 ${platform}`))).toEqual(['3.0.0']);
    expect(versionsOf(await find(`rocket 3.0.0 ${other}`))).toEqual([]);
  });

  // red when: % or _ is not escaped
  it('takes every character literally', async () => {
    expect((await find('100%')).channels.map(({ name }) => name)).toEqual(['Nightly 100%', 'Nightly 100%']);
    expect((await find('under_score')).testers).toHaveLength(2);
    expect((await find('% _')).testers).toEqual([]);
    for (const q of [`O'Neil`, '\\', '"Junior"']) expect((await find(q)).testers).toHaveLength(2);
    for (const q of ['', '  ', '%%%', `' OR true --`, 'x'.repeat(200)]) {
      expect(await find(q)).toEqual({ projects: [], builds: [], channels: [], testers: [] });
    }
  });

  it('finds testers by address and name', async () => {
    const { testers } = await find('TESS.under_score@example.com');
    expect(testers[0]).toMatchObject({ email: 'tess.under_score@example.com', name: 'Tess' });
    expect((await find('Tess')).testers).toHaveLength(4);
  });

  // red when: SCOPE ignores the projects
  it('searches only the projects in which a member has a role', async () => {
    const bob = await verifiedDeveloper(app);
    await app.sql(`INSERT INTO membership VALUES ($1, $2, '{MEMBER}', now())`, [organization.id, bob.id]);
    expect(await find('e', bob)).toEqual({ projects: [], builds: [], channels: [], testers: [] });
    const values = [organization.id, rocket.id, bob.id];
    await app.sql(`INSERT INTO project_membership VALUES ($1, $2, $3, 'VIEW_PROJECT')`, values);
    for (const q of ['2.1.0', 'nightly', 'tess', 'secret', 'rocket']) {
      expect(JSON.stringify(await find(q, bob))).not.toContain(secret.id);
    }
    expect((await find('tess', bob)).testers).toHaveLength(2);
    expect((await find('rocket', bob)).projects).toHaveLength(1);
  });

  it('finds with a personal access token only the kinds that its scopes include', async () => {
    const kinds = async (...scopes: PatScope[]): Promise<string[]> => {
      const draft = { name: 'x', scopes: ['projects:read', ...scopes] };
      const { body } = await ann.post(`/pats?organization_id=${organization.id}`, draft).expect(201);
      const found = await find('e', app.ci((body as { token: string }).token));
      return Object.entries(found).flatMap(([kind, results]) => ((results as unknown[]).length > 0 ? [kind] : []));
    };
    expect(await kinds()).toEqual(['projects']);
    expect(await kinds('builds:read', 'testers:read')).toEqual(['projects', 'builds', 'testers']);
    expect(await kinds('channels:read')).toEqual(['projects', 'channels']);
  });

  it('finds nothing of another organization', async () => {
    const eve = await verifiedDeveloper(app);
    await eve.get(`/search?organization_id=${organization.id}&q=tess`).expect(403);
    const own = await eve.createsOrganization();
    const { body } = await eve.get(`/search?organization_id=${own.id}&q=e`).expect(200);
    expect(body).toEqual({ projects: [], builds: [], channels: [], testers: [] });
  });

  it('finds words in the letter case of every alphabet', async () => {
    await ann.createsChannel(rocket, 'Ærø ΣΙΣΥΦΟΣ');
    for (const q of ['ÆRØ', 'ærø', 'σισυφοσ']) expect((await find(q)).channels).toHaveLength(1);
  });

  describe('in an organization with many builds and testers', () => {
    /** A project that is older than the project with most of the builds. */
    let quiet: ProjectRef;
    beforeAll(async () => {
      const plantTesters = `INSERT INTO tester SELECT copy.* FROM tester AS t, generate_series(1, 12000) AS n, jsonb_populate_record(NULL::tester,
         to_jsonb(t) || jsonb_build_object('id', uuidv7(), 'email', 'many.' || n || '@example.com',
           'email_key', 'many.' || n || '@example.com')) AS copy WHERE t.id = $1`;
      const neighbour = await createTenant(app, 'Yak');
      await plantBuilds(neighbour.project, ['9.9.9'], 10_000);
      await app.sql(plantTesters, [neighbour.testerId]);
      quiet = await ann.createsProject(organization, 'Quiet');
      await plantBuilds(quiet, ['8.8.8']);
      await plantBuilds(await ann.createsProject(organization, 'Busy'), ['9.9.9'], 30_000);
      await app.sql(plantTesters, [tenant.testerId]);
      // Indexes alone are read where all transactions see all rows. A concurrent autovacuum delays that.
      await until(async () => {
        await app.sql('VACUUM ANALYZE build, tester');
        const hidden = `SELECT FROM pg_class WHERE relname IN ('build', 'tester') AND relallvisible < relpages / 2`;
        return (await app.sql(hidden)).length === 0;
      });
    });

    it('finds one of the newest testers', async () => {
      expect((await find('many.9777@')).testers).toHaveLength(1);
    });

    // red when: the rows of other projects count as the newest
    it('finds a build of a project with few uploads for a member whose only role is in that project', async () => {
      const bob = await verifiedDeveloper(app);
      await app.sql(`INSERT INTO membership VALUES ($1, $2, '{MEMBER}', now())`, [organization.id, bob.id]);
      const values = [organization.id, quiet.id, bob.id];
      await app.sql(`INSERT INTO project_membership VALUES ($1, $2, $3, 'VIEW_PROJECT')`, values);
      expect(versionsOf(await find('8.8.8', bob))).toEqual(['8.8.8']);
    });

    // red when: a kind is read without a limit, a limit applies after a filter, or an index is dropped
    it.each([
      ['common', ['9.9', 'e']],
      ['in no row', ['zzqq']],
      ['many', ['a', 'e', 'i', 'o', '9', '.', 'm', 'zz']],
    ])('reads the newest rows alone when the words are %s, of all and of single projects', async (_name, words) => {
      const repository = app.nest.get(SearchRepository);
      for (const projectIds of [null, [quiet.id, rocket.id]]) {
        const request = { organizationId: organization.id, projectIds, words };
        const kinds = ['projects', 'builds', 'channels', 'testers'] as const;
        const [plan] = await plansOf(app, (tx) => repository.find(tx, request, kinds));
        // Of builds and of testers 5,000 ids, as many rows, and for each at most one project.
        expect(rowsRead(plan!)).toBeLessThan(31_000);
      }
    });
  });
});
