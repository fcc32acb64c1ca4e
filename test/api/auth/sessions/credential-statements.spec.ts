import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { type Developer, type ProjectRef, scope } from '../../../support/actors/actors';
import { verifiedDeveloper } from '../../../support/actors/tenant';
import { TestApp } from '../../../support/app/test-app';
import { ipa } from '../../../support/artifacts/valid-artifacts';

describe('the statements of a request with a credential', () => {
  let app: TestApp;
  let ann: Developer;
  let project: ProjectRef;
  let credentials: { header: string; value: string }[];
  beforeAll(async () => {
    // Jobs would add statements of their own.
    app = await TestApp.start({ worker: false });
    ann = await verifiedDeveloper(app);
    const organization = await ann.createsOrganization();
    project = await ann.createsProject(organization);
    await ann.uploads(project, { bytes: ipa(), fileName: 'Demo.ipa' });
    const created = await ann
      .post(`/pats?organization_id=${organization.id}`, { name: 'script', scopes: ['builds:read'] })
      .expect(201);
    const pat = (created.body as { token: string }).token;
    credentials = [
      { header: 'Authorization', value: `Bearer ${await ann.createsToken(project)}` },
      { header: 'Authorization', value: `Bearer ${pat}` },
      { header: 'Authorization', value: `Bearer ${ann.token}` },
      { header: 'Cookie', value: `dfdeveloper=${ann.token}` },
    ];
  });
  afterAll(() => app.stop());

  /** The statements of a list of builds, in order. */
  const statementsOf = async ({ header, value }: { header: string; value: string }): Promise<string[]> => {
    const list = () =>
      app.anonymous
        .get(`/api/v1/builds?${scope(project)}&limit=1`)
        .set(header, value)
        .expect(200);
    // The first request of a token records its use, and the second one keeps the JSON of the build.
    for (let request = 0; request < 2; request++) await list();
    const query = jest.spyOn(Client.prototype, 'query');
    try {
      await list();
      return query.mock.calls
        .map(([sent]: unknown[]) => (typeof sent === 'string' ? sent : (sent as { text: string }).text))
        .filter((text) =>
          /FROM "?(developer|membership|project|personal_|refresh_|build|release|channel|invite)/.test(text),
        );
    } finally {
      query.mockRestore();
    }
  };

  // red when: the session, the developer, a role, or a channel or uploader of the builds is read in a statement of its own
  it('are one for the credential with the roles of its owner, and one for a page whose JSON is cached', async () => {
    for (const credential of credentials) {
      const [authentication, page, ...more] = await statementsOf(credential);
      expect([authentication, more]).toEqual([expect.not.stringContaining('FROM build'), []]);
      expect(page).toContain('AS versions FROM');
    }
  });

  // red when: an entity renames a column and the statement keeps the old name
  it('name columns of the entities', async () => {
    const { entityMetadatas } = app.nest.get(DataSource);
    const columnsOf = (table: string): string[] =>
      entityMetadatas.find(({ tableName }) => tableName === table)!.columns.map(({ databaseName }) => databaseName);
    for (const credential of credentials.slice(1)) {
      const [statement = ''] = await statementsOf(credential);
      const tables = new Map([...statement.matchAll(/(?:FROM|JOIN) (\w+) (\w+)/g)].map(([, table, as]) => [as, table]));
      expect([...tables.values()]).toEqual(
        expect.arrayContaining(['developer', 'membership', 'project', 'project_membership']),
      );
      for (const [, as, column] of statement.matchAll(/\b([a-z]+)\.(\w+)/g))
        expect(columnsOf(tables.get(as)!)).toContain(column);
    }
  });
});
