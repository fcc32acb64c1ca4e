import { type ProjectScope } from '#kernel/context/scope';
import { type TesterFilter, TesterViews } from '#modules/testers';
import { type Developer, scope } from '../../support/actors/actors';
import { createTenant, type Tenant } from '../../support/actors/tenant';
import { TestApp } from '../../support/app/test-app';
import { plansOf, rowsRead } from '../../support/checks/statement-plans';

/** More testers than twice the number in which a request searches. */
const MANY = 25_000;

interface Listed {
  readonly items: readonly { readonly id: string; readonly email: string }[];
  readonly next_cursor: string | null;
}

describe('the list of testers of a large project', () => {
  let app: TestApp;
  let tenant: Tenant;
  let ann: Developer;
  let ofProject: ProjectScope;
  let empty: string;
  beforeAll(async () => {
    app = await TestApp.start({ worker: false });
    tenant = await createTenant(app);
    ann = tenant.admin;
    ofProject = { organizationId: tenant.organization.id, projectId: tenant.project.id };
    empty = (await ann.createsChannel(tenant.project)).id;
    await app.sql(
      `INSERT INTO tester SELECT copy.* FROM tester AS t, generate_series(1, $2) AS n, jsonb_populate_record(NULL::tester, to_jsonb(t)
         || jsonb_build_object('id', uuidv7(), 'email_key', 'many.' || n, 'email', 'many.' || n || '@example.com',
           'opened_at', now(), 'invited_at', now())) AS copy
       WHERE t.id = $1`,
      [tenant.testerId, MANY],
    );
    await app.sql(
      `INSERT INTO subscription (organization_id, project_id, channel_id, tester_id, created_at)
       SELECT organization_id, project_id, $2, id, now() FROM tester WHERE project_id = $1 ON CONFLICT DO NOTHING`,
      [tenant.project.id, tenant.channel.id],
    );
    await app.sql('ANALYZE tester, subscription');
  });
  afterAll(() => app.stop());

  const list = async (query: string): Promise<Listed> =>
    (await ann.get(`/testers?${scope(tenant.project)}&${query}`).expect(200)).body as Listed;

  // red when: a text or a state is searched in all testers, or the page that ends before the last tester has no cursor
  it.each(['state=added', 'q=@TESTER.'])('continues the search for %s on the next pages', async (query) => {
    const found: string[] = [];
    let pages = 0;
    for (let cursor: string | null = ''; cursor !== null; pages += 1) {
      const page: Listed = await list(`${query}&cursor=${cursor}`);
      found.push(...page.items.map(({ id }) => id));
      cursor = page.next_cursor;
    }
    expect([found, pages]).toEqual([[tenant.testerId], 3]);
  });

  // red when: a statement reads testers, subscriptions or suppressions in proportion to the project
  it.each<[string, TesterFilter, number]>([
    ['a text', { q: 'zzqq' }, 10_001],
    ['added', { state: 'added' }, 10_001],
    ['invited', { state: 'invited' }, 10_001],
    ['behind', { state: 'behind' }, 10_001],
    ['left', { state: 'left' }, 10_001],
    ['bounced', { state: 'bounced' }, 10],
    ['an address', { email: 'many.7@example.com' }, 10],
  ])('reads a bounded number of rows for %s', async (_name, filter, most) => {
    const read = await plansOf(app, (tx) =>
      app.nest.get(TesterViews, { strict: false }).list(tx, ofProject, filter, { limit: 100 }),
    );
    for (const plan of read) expect(rowsRead(plan)).toBeLessThan(most);
  });

  // red when: the subscribers are searched among the testers, or the testers among the subscribers
  it('reads the page of a channel alone, whether it has many subscribers or none', async () => {
    for (const channelId of [tenant.channel.id, empty]) {
      const [plan] = await plansOf(app, (tx) =>
        app.nest.get(TesterViews, { strict: false }).list(tx, ofProject, { channelId }, { limit: 100 }),
      );
      expect(rowsRead(plan!)).toBeLessThan(500);
    }
    const first = await list(`channel_id=${tenant.channel.id}&limit=2`);
    const second = await list(`channel_id=${tenant.channel.id}&limit=2&cursor=${first.next_cursor}`);
    const emails = [...first.items, ...second.items].map(({ email }) => email);
    expect(emails).toEqual([0, 1, 2, 3].map((n) => `many.${MANY - n}@example.com`));
    expect((await list(`channel_id=${empty}`)).items).toEqual([]);
  });

  // red when: the audience of the build is read to find those of it who bounced
  it('reads only testers who bounced for those of a build or release', async () => {
    await app.sql(`UPDATE tester SET bounced_at = now() WHERE project_id = $1 AND email_key LIKE 'many.%00'`, [
      tenant.project.id,
    ]);
    await app.sql('ANALYZE tester');
    for (const subject of [{ buildId: tenant.build.id }, { releaseId: tenant.release.id }]) {
      const read = await plansOf(app, (tx) =>
        app.nest
          .get(TesterViews, { strict: false })
          .list(tx, ofProject, { adoption: { of: subject, step: 'bounced' } }, { limit: 100 }),
      );
      for (const plan of read) expect(rowsRead(plan)).toBeLessThan(5_000);
    }
  });
});
