import { Client } from 'pg';
import { type BuildJson, type Developer, type ProjectRef, scope } from '../../../support/actors/actors';
import { ipa } from '../../../support/artifacts/valid-artifacts';
import { verifiedDeveloper } from '../../../support/actors/tenant';
import { TestApp } from '../../../support/app/test-app';

const IPA = { bytes: ipa(), fileName: 'Demo.ipa' };
const FILE = { bytes: Buffer.from('a disk image'), fileName: 'Demo.dmg' };

describe('the statements of an upload', () => {
  let app: TestApp;
  let ann: Developer;
  let project: ProjectRef;
  beforeAll(async () => {
    app = await TestApp.start({ worker: false, environment: { RATE_LIMIT_FACTOR: '100' } });
    ann = await verifiedDeveloper(app);
    project = await ann.createsProject(await ann.createsOrganization(), 'Rocket');
  });
  afterAll(() => app.stop());

  /** The statements of the second of two uploads, from the start of its first transaction. */
  async function statementsOf(upload: () => Promise<BuildJson>): Promise<string[]> {
    await upload();
    const query = jest.spyOn(Client.prototype, 'query');
    await upload();
    const sent = query.mock.calls.map(([statement]: unknown[]) =>
      typeof statement === 'string' ? statement : String((statement as { text: string }).text),
    );
    query.mockRestore();
    return sent.slice(sent.findIndex((text) => /^START/.test(text)));
  }

  // red when: a step reads again what the upload knows, or saves the account more than once
  it('are few', async () => {
    const withPackage = await statementsOf(() => ann.uploads(project, IPA));
    const plain = await statementsOf(() => ann.uploads(project, FILE, { platform: 'macos', version: '1' }));
    expect([withPackage.length, plain.length]).toEqual([21, 20]);
    expect(withPackage.filter((text) => /^UPDATE "billing_account"/.test(text))).toHaveLength(1);
  });

  it('describe the build as a later request does', async () => {
    for (const build of [
      await ann.uploads(project, IPA, { notes: 'New', branch: 'main' }),
      await ann.uploads(project, FILE, { platform: 'macos', version: '2' }),
    ]) {
      const { release_id: _, ...uploaded } = build as BuildJson & { release_id: unknown };
      expect((await ann.get(`/builds/${build.id}?${scope(project)}`).expect(200)).body).toEqual(uploaded);
    }
  });
});
