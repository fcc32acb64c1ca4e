import { Client } from 'pg';
import { type Bearer, type BuildJson, type Developer, type ProjectRef, scope } from '../../../support/actors/actors';
import { verifiedDeveloper } from '../../../support/actors/tenant';
import { TestApp } from '../../../support/app/test-app';
import { ipa } from '../../../support/artifacts/valid-artifacts';
import { rawRequest } from '../../../support/load/raw-http';

describe('the statements that mint a download URL', () => {
  let app: TestApp;
  let ann: Developer;
  let project: ProjectRef;
  let build: BuildJson;
  let ci: Bearer;
  beforeAll(async () => {
    // Jobs would add statements of their own.
    app = await TestApp.start({ worker: false });
    ann = await verifiedDeveloper(app);
    project = await ann.createsProject(await ann.createsOrganization());
    build = await ann.uploads(project, { bytes: ipa(), fileName: 'Demo.ipa' });
    ci = app.ci(await ann.createsToken(project, 'DOWNLOAD_BUILD'));
  });
  afterAll(() => app.stop());

  /** The start of each statement of a request, without those of its connection. */
  const statementsOf = async (request: () => PromiseLike<unknown>): Promise<string[]> => {
    const query = jest.spyOn(Client.prototype, 'query');
    try {
      await request();
      return query.mock.calls
        .map(([sent]: unknown[]) => (typeof sent === 'string' ? sent : (sent as { text: string }).text))
        .filter((text) => /^COMMIT|advisory|build|ticket|reservation|invite|token|audit_event/.test(text))
        .map((text) => text.trim().split(/\s+/).slice(0, 3).join(' '));
    } finally {
      query.mockRestore();
    }
  };

  // red when: the whole build or its install link is read, or a statement is added
  it('are seven for an account: the token, and a transaction of six whose first statement begins it', async () => {
    const mint = () => ci.post(`/builds/${build.id}/download-url?${scope(project)}`).expect(200);
    await mint();
    expect(await statementsOf(mint)).toHaveLength(7);
  });

  // red when: an open ticket is looked up in a transaction
  it('are one for the client of an install link that has an open ticket, without a transaction', async () => {
    const manifest = () => rawRequest(`${app.url}${new URL(build.install_url).pathname}/manifest.plist`);
    const [first, second] = [await manifest(), await manifest()];
    expect(second.text).toBe(first.text);
    const statements = await statementsOf(manifest);
    expect(statements.filter((text) => /^COMMIT/.test(text))).toEqual([]);
    expect(statements.length).toBeLessThanOrEqual(4);
  });
});
