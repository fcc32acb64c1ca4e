import { randomUUID } from 'node:crypto';
import type supertest from 'supertest';
import { AppError } from '#kernel/errors/app-error';
import { LocalBlobStore } from '#infra/blob/local/local-blob-store';
import { type Developer, type ProjectRef, scope } from '../../support/actors/actors';
import { TestApp } from '../../support/app/test-app';
import { apk } from '../../support/artifacts/valid-artifacts';

const FILE = { bytes: apk(), fileName: 'Demo.apk' };

/** A request that failed can be sent again with the same key. */
describe('a retry with the same Idempotency-Key', () => {
  let app: TestApp;
  let ann: Developer;
  let project: ProjectRef;
  let key: string;
  beforeAll(async () => {
    // Twelve writes a minute, and no trial credit.
    app = await TestApp.start({ environment: { RATE_LIMIT_FACTOR: '0.1', TRIAL_CREDIT_MICRO_USD: '0' } });
    ann = await app.developer();
    project = await ann.createsProject(await ann.createsOrganization());
  });
  beforeEach(async () => {
    key = randomUUID();
    await app.clock.advance({ minutes: 2 });
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => app.stop());

  const upload = (): supertest.Test => ann.upload(project, FILE).set('Idempotency-Key', key);
  const builds = async (): Promise<number> =>
    (await app.sql<{ count: number }>('SELECT count(*)::int AS count FROM build'))[0]!.count;

  const succeedsOnce = async (attempt: () => supertest.Test, status: number): Promise<void> => {
    const { headers, text } = await attempt().expect(status);
    expect(headers['idempotency-replayed']).toBeUndefined();
    const again = await attempt().expect(status);
    expect([again.text, again.headers['idempotency-replayed']]).toEqual([text, 'true']);
  };

  // red when: the claim of a failed attempt is kept (`release` is not called), or an error is stored
  it('succeeds after 402 once there is credit', async () => {
    for (let n = 0; n < 2; n++) {
      const refused = await upload().expect(402);
      expect(refused.body).toMatchObject({ error: 'prepaid_credit_exhausted' });
    }
    await ann.changesPlan({ id: project.organizationId }, 'business');
    await succeedsOnce(upload, 201);
    expect(await builds()).toBe(1);
  });

  it('succeeds after 503 once the store is available', async () => {
    const write = jest
      .spyOn(LocalBlobStore.prototype, 'write')
      .mockRejectedValue(new AppError('storage_backend_unavailable'));
    const refused = await upload().expect(503);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    write.mockRestore();
    await succeedsOnce(upload, 201);
    expect(await builds()).toBe(2);
  });

  it('succeeds after 429 once the window is over', async () => {
    const create = (): supertest.Test =>
      ann
        .post(`/project-access-tokens?${scope(project)}`, { name: 'CI', role: 'UPLOAD_BUILD' })
        .set('Idempotency-Key', key);
    for (;;) {
      const { status } = await ann.post(`/project-access-tokens?${scope(project)}`, {});
      if (status === 429) break;
    }
    const refused = await create().expect(429);
    await app.clock.advance({ seconds: Number(refused.headers['retry-after']) });
    await succeedsOnce(create, 201);
  });
});
