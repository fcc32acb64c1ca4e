import { randomUUID } from 'node:crypto';
import { PAT_SCOPES } from '#kernel/access/roles';
import {
  Bearer,
  type Developer,
  type OrganizationRef,
  type ProjectRef,
  randomEmail,
  scope,
} from '../../support/actors/actors';
import { verifiedDeveloper } from '../../support/actors/tenant';
import { TestApp } from '../../support/app/test-app';

/** About four of the responses below. */
const MAX_BYTES = 32_000;
const LINES = 80;

/** The size of stored responses per owner is limited, and stored responses are replayed regardless. */
describe('stored idempotent responses', () => {
  let app: TestApp;
  let ann: Developer;
  let organization: OrganizationRef;
  let project: ProjectRef;
  let file: string;

  beforeAll(async () => {
    app = await TestApp.start({ environment: { MAX_STORED_ANSWER_BYTES: String(MAX_BYTES) } });
    ann = await verifiedDeveloper(app);
    organization = await ann.createsOrganization();
    project = await ann.createsProject(organization);
    file = ['email', ...Array.from({ length: LINES }, randomEmail)].join('\n');
  });
  afterAll(() => app.stop());

  const imports = (bearer: Bearer, key?: string) => {
    const request = bearer.request('post', `/testers/import?${scope(project)}`).set('Content-Type', 'text/csv');
    return (key === undefined ? request : request.set('Idempotency-Key', key)).send(file);
  };
  const storedBytes = async (): Promise<number> => {
    const [row] = await app.sql<{ bytes: number }>(
      'SELECT sum(octet_length(answer))::int AS bytes FROM idempotency_record',
    );
    return row!.bytes;
  };
  /** Sends new keys until one is rejected. @returns the accepted keys with their responses, and the rejected key. */
  const fills = async (bearer: Bearer): Promise<{ taken: Map<string, string>; refused: string }> => {
    const taken = new Map<string, string>();
    for (let n = 0; n < 50; n++) {
      const key = randomUUID();
      const { status, text } = await imports(bearer, key);
      if (status === 429) return { taken, refused: key };
      expect(status).toBe(200);
      taken.set(key, text);
    }
    throw new Error('no key was rejected');
  };

  // red when: the stored responses of an owner are not counted
  it('are limited per developer across credentials, and are replayed at the limit', async () => {
    const { body: pat } = await ann
      .post(`/pats?organization_id=${organization.id}`, { name: 'script', scopes: PAT_SCOPES })
      .expect(201);
    const script = new Bearer(app.url, (pat as { token: string }).token);
    const { taken, refused } = await fills(ann);
    expect(taken.size).toBeGreaterThan(2);
    expect(await storedBytes()).toBeLessThan(MAX_BYTES + 10_000);

    const before = await app.sql('SELECT id FROM audit_event');
    const answer = await imports(script, refused).expect(429);
    expect(answer.body).toMatchObject({ error: 'rate_limit_exceeded' });
    const wait = Number(answer.headers['retry-after']);
    expect((answer.body as { details: object }).details).toMatchObject({ retry_after_seconds: wait });
    expect(await app.sql('SELECT id FROM audit_event')).toHaveLength(before.length);
    expect(await app.sql(`SELECT FROM idempotency_record WHERE state = 'in_flight'`)).toEqual([]);

    for (const [key, text] of taken) {
      const again = await imports(script, key).expect(200);
      expect([again.text, again.headers['idempotency-replayed']]).toEqual([text, 'true']);
    }
    // Requests without a key, and other developers, are not limited.
    await imports(ann).expect(200);
    const bob = await verifiedDeveloper(app);
    await app.sql(`INSERT INTO membership VALUES ($1, $2, '{MANAGER}', now())`, [organization.id, bob.id]);
    await imports(bob, randomUUID()).expect(200);

    // red when: Retry-After ends before the counted hours do
    expect(wait).toBeLessThanOrEqual(25 * 3600);
    await app.clock.advance({ seconds: wait });
    await imports(script, refused).expect(200);
  });

  it('are pruned together with their volume', async () => {
    await app.clock.advance({ hours: 26 });
    await app.runsJob('idempotency.prune');
    expect(await app.sql('SELECT FROM idempotency_record')).toEqual([]);
    expect(await app.sql('SELECT FROM idempotency_volume')).toEqual([]);
  });
});
