import { Client } from 'pg';
import {
  type BuildJson,
  type Developer,
  type ProjectCredential,
  type ProjectRef,
  scope,
} from '../../../support/actors/actors';
import { ResumableClient } from '../../../support/actors/resumable-client';
import { verifiedDeveloper } from '../../../support/actors/tenant';
import { TestApp } from '../../../support/app/test-app';
import { ipa } from '../../../support/artifacts/valid-artifacts';

const IPA = { bytes: ipa(), fileName: 'Demo.ipa' };
const FILE = { bytes: Buffer.from('a disk image'), fileName: 'Demo.dmg' };

describe('the statements of an upload', () => {
  let app: TestApp;
  let ann: Developer;
  let project: ProjectRef;
  let ci: ProjectCredential;
  beforeAll(async () => {
    app = await TestApp.start({ worker: false, environment: { RATE_LIMIT_FACTOR: '100' } });
    ann = await verifiedDeveloper(app);
    project = await ann.createsProject(await ann.createsOrganization(), 'Rocket');
    ci = app.ci(await ann.createsToken(project, 'UPLOAD_BUILD'));
  });
  afterAll(() => app.stop());

  /** The statements that are sent during some work. */
  async function statementsDuring(work: () => Promise<unknown>): Promise<string[]> {
    const query = jest.spyOn(Client.prototype, 'query');
    await work();
    const sent = query.mock.calls.map(([statement]: unknown[]) =>
      typeof statement === 'string' ? statement : String((statement as { text: string }).text),
    );
    query.mockRestore();
    // The first is sent alone only when the connection prepares the statement after it, the second to a connection that was idle for a second.
    return sent.filter((text) => !['START TRANSACTION', 'SELECT 1'].includes(text));
  }

  /** The statements of the second of two uploads, from the first of its first transaction. */
  async function statementsOf(upload: () => Promise<BuildJson>): Promise<string[]> {
    await upload();
    const sent = await statementsDuring(upload);
    return sent.slice(sent.findIndex((text) => /^SELECT pg_advisory_xact_lock/.test(text)));
  }

  // red when: a step reads again what the upload knows, or saves the account more than once
  it('are exactly as many as listed', async () => {
    const withPackage = await statementsOf(() => ann.uploads(project, IPA));
    const plain = await statementsOf(() => ann.uploads(project, FILE, { platform: 'macos', version: '1' }));
    // One statement looks for the same build in the trash. The devices of the profile are compared with the known ones, stored, and read for
    // the response.
    expect([withPackage.length, plain.length]).toEqual([17, 13]);
    const byToken = await statementsOf(() => ci.uploads(project, FILE, { platform: 'macos', version: '1' }));
    expect(byToken).toHaveLength(12);
    expect(withPackage.filter((text) => /UPDATE billing_account (a )?SET "plan"/.test(text))).toHaveLength(1);
  });

  // red when: each part writes the lease of its upload, or none does
  it('of a part read its upload, and renew the lease and the reservation once a minute', async () => {
    const client = await ResumableClient.start(ann, project, FILE, { platform: 'macos', version: '1' });
    const [url] = await client.urls(1);
    const sends = (): Promise<string[]> => statementsDuring(() => client.put(url!, FILE.bytes));
    const expiry = async (): Promise<number> => {
      const [row] = await app.sql<{ lease: Date; room: Date }>(
        `SELECT leased_until AS lease, expires_at AS room FROM artifact_upload u JOIN reservation r ON r.id = u.reservation_id
         WHERE u.id = '${client.id}'`,
      );
      return row!.lease.getTime() + row!.room.getTime();
    };
    const before = await expiry();
    expect([(await sends()).length, (await expiry()) - before]).toEqual([1, 0]);
    await app.clock.advance({ seconds: 61 });
    expect((await sends()).length).toBe(3);
    expect((await expiry()) - before).toBeGreaterThanOrEqual(2 * 61_000);
    expect((await sends()).length).toBe(1);
  });

  it('return the same build as a later request', async () => {
    for (const build of [
      await ann.uploads(project, IPA, { notes: 'New', branch: 'main' }),
      await ann.uploads(project, FILE, { platform: 'macos', version: '2' }),
      await ci.uploads(project, FILE, { platform: 'macos', version: '3' }),
    ]) {
      const { release_id: _, ...uploaded } = build as BuildJson & { release_id: unknown };
      expect((await ann.get(`/builds/${build.id}?${scope(project)}`).expect(200)).body).toEqual(uploaded);
    }
  });
});
