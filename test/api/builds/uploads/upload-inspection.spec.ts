import { readdir } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { ArtifactInspector } from '#infra/artifact-inspection/artifact-inspector';
import { LocalBlobStore } from '#infra/blob/local/local-blob-store';
import { type Bearer, type ProjectRef } from '../../../support/actors/actors';
import { TestApp } from '../../../support/app/test-app';
import { ipaWithNestedOctets } from '../../../support/artifacts/amplifying-artifacts';
import { ipa } from '../../../support/artifacts/valid-artifacts';
import { until } from '../../../support/until';

const HOSTILE = { bytes: ipaWithNestedOctets(), fileName: 'hostile.ipa' };
const NORMAL = { bytes: ipa(), fileName: 'normal.ipa' };
const INSPECTED = Math.min(2, Math.max(1, availableParallelism() - 1));
/** The uploads that are inspected, and 32 that wait. */
const ADMITTED = INSPECTED + 32;

describe('The inspection of uploads', () => {
  let app: TestApp;
  let attacker: { readonly project: ProjectRef; readonly ci: Bearer };
  let other: { readonly project: ProjectRef; readonly ci: Bearer };
  beforeAll(async () => {
    app = await TestApp.start();
    const tenant = async (): Promise<typeof attacker> => {
      const developer = await app.developer();
      const project = await developer.createsProject(await developer.createsOrganization());
      return { project, ci: app.ci(await developer.createsToken(project, 'MANAGE_RELEASES')) };
    };
    attacker = await tenant();
    other = await tenant();
  });
  let open: () => void = () => undefined;
  afterEach(() => {
    open();
    jest.restoreAllMocks();
  });
  afterAll(() => app.stop());

  /** Keeps all inspections waiting for the store until the test opens it. */
  const closedStore = (): { open: () => void; readonly sizesInOrder: number[] } => {
    const store = { open: (): void => undefined, sizesInOrder: [] as number[] };
    const opened = new Promise<void>((resolve) => (open = store.open = resolve));
    const seen = new Set<string>();
    // eslint-disable-next-line @typescript-eslint/unbound-method -- called with its store
    const read = LocalBlobStore.prototype.readBlock;
    jest.spyOn(LocalBlobStore.prototype, 'readBlock').mockImplementation(async function (
      this: LocalBlobStore,
      ...range: Parameters<typeof read>
    ) {
      const [key, offset, length] = range;
      if (!seen.has(key)) store.sizesInOrder.push(offset + length);
      seen.add(key);
      await opened;
      return read.apply(this, range);
    });
    return store;
  };
  const inspections = (): jest.SpyInstance => jest.spyOn(app.nest.get(ArtifactInspector, { strict: false }), 'inspect');
  /** What is stored, reserved and running for all, and charged to the attacker. */
  const leftovers = async (): Promise<unknown> => ({
    files: (
      await readdir(join(app.dataDirectory, 'artifacts'), { recursive: true, withFileTypes: true }).catch(() => [])
    ).filter((entry) => entry.isFile()).length,
    rows: await app.sql(
      `SELECT (SELECT count(*)::int FROM artifact_upload) AS uploads,
              (SELECT count(*)::int FROM reservation WHERE state = 'active') AS reservations,
              (SELECT count(*)::int FROM ledger_entry WHERE organization_id = $1) AS ledger`,
      [attacker.project.organizationId],
    ),
  });

  // red when: uploads wait in one queue, or without a bound per organization
  it('takes turns between organizations, and responds 429 when too many uploads of one organization wait', async () => {
    const before = await leftovers();
    const store = closedStore();
    const inspected = inspections();
    const outcomes: { status: number; body: unknown; retryAfter: unknown }[] = [];
    const hostile = Array.from({ length: ADMITTED + 1 }, async () => {
      const { status, body, headers } = await attacker.ci.upload(attacker.project, HOSTILE);
      outcomes.push({ status, body, retryAfter: (headers as Record<string, unknown>)['retry-after'] });
    });
    await until(() => outcomes.length === 1 && inspected.mock.calls.length === ADMITTED + 1);
    expect(outcomes).toMatchObject([
      {
        status: 429,
        body: { error: 'rate_limit_exceeded', details: { retry_after_seconds: 10 } },
        retryAfter: '10',
      },
    ]);

    const normal = other.ci.upload(other.project, NORMAL).then(({ status }) => status);
    await until(() => inspected.mock.calls.length === ADMITTED + 2);
    store.open();
    expect(await normal).toBe(201);
    await Promise.all(hostile);
    expect(outcomes.slice(1)).toHaveLength(ADMITTED);
    for (const outcome of outcomes.slice(1)) {
      expect(outcome).toMatchObject({ status: 400, body: { details: { reason: 'too_complex' } } });
    }
    // The normal upload arrived last. It is among the first to be inspected after those that already were.
    expect(store.sizesInOrder).toHaveLength(ADMITTED + 1);
    expect(store.sizesInOrder.indexOf(NORMAL.bytes.length)).toBeLessThan(4);

    expect(await app.sql('SELECT organization_id FROM build')).toEqual([
      { organization_id: other.project.organizationId },
    ]);
    const after = (await leftovers()) as { files: number; rows: unknown };
    expect(after.rows).toEqual((before as { rows: unknown }).rows);
    // The artifact and the icon of the build.
    expect(after.files).toBeLessThanOrEqual(2);
  });

  it('cancels a waiting upload when its client disconnects', async () => {
    const store = closedStore();
    const inspected = inspections();
    const inspectedFirst = [1, 2].map(() => attacker.ci.upload(attacker.project, HOSTILE).then(({ status }) => status));
    await until(() => inspected.mock.calls.length === 2);
    const waiting = attacker.ci.upload(attacker.project, HOSTILE);
    waiting.end(() => undefined);
    await until(() => inspected.mock.calls.length === 3);
    waiting.abort();
    await until(async () => (await app.sql('SELECT 1 FROM artifact_upload')).length === 2);
    store.open();
    expect(await Promise.all(inspectedFirst)).toEqual([400, 400]);
    expect(store.sizesInOrder).toHaveLength(2);
  });
});
