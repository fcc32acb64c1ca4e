import { type Response } from 'supertest';
import { Transactions } from '#infra/database/transactions';
import { PreparingClient } from '#infra/fast-paths/pg/preparing-client';
import { type Developer, scope } from '../../support/actors/actors';
import { TestApp } from '../../support/app/test-app';
import { ipa } from '../../support/artifacts/valid-artifacts';

/** Headers whose values differ between two requests. */
const OWN_HEADERS = ['date', 'x-request-id', 'etag', 'x-ratelimit-reset'];

/** The status, headers and body of a response, without the values of a single request. */
const partsOf = ({ status, headers, text }: Response): unknown => ({
  status,
  headers: Object.entries(headers as Record<string, string>)
    .filter(([name]) => !OWN_HEADERS.includes(name))
    .map(([name, value]) => (name === 'content-length' ? name : `${name}: ${value}`))
    .sort(),
  body: (text ?? '').replace(/"request_id":"[^"]+"/, '"request_id":""'),
});

describe('an application with FAST_PATHS=off', () => {
  let fast: TestApp;
  let plain: TestApp;
  let ann: Developer;
  let paths: string[];
  beforeAll(async () => {
    fast = await TestApp.start({ environment: { FAST_PATHS: 'on' } });
    plain = await TestApp.start({ beside: fast, worker: false, environment: { FAST_PATHS: 'off' } });
    ann = await fast.developer();
    const project = await ann.createsProject(await ann.createsOrganization());
    const ci = fast.ci(await ann.createsToken(project, 'MANAGE_PROJECT'));
    const build = await ci.uploads(project, { bytes: ipa(), fileName: 'App.ipa' });
    paths = [
      `/builds?${scope(project)}`,
      `/builds?${scope(project)}&q=app&limit=1`,
      `/builds?${scope(project)}&limit=many`,
      `/builds/${build.id}?${scope(project)}`,
      `/builds/${project.id}?${scope(project)}`,
      `/projects?organization_id=${project.organizationId}&include=summary`,
      '/live',
      '/unknown',
    ];
  });
  // Test files that ran before in this process may have sent as many frequent statements as are prepared.
  beforeEach(() => PreparingClient.names.renew());
  afterAll(async () => {
    await plain.stop();
    await fast.stop();
  });

  const answersOf = async (app: TestApp, method: 'get' | 'head'): Promise<unknown> => {
    const answers = [];
    for (const path of paths) answers.push([path, partsOf(await app.ci(ann.token).request(method, path))]);
    return answers;
  };

  // red when: a fast path changes the status, a header or the body of a response
  it.each(['get', 'head'] as const)('responds to %s requests as one with fast paths', async (method) => {
    // Statements are prepared when they are sent the third time.
    for (let time = 0; time < 3; time++) expect(await answersOf(fast, method)).toEqual(await answersOf(plain, method));
  });

  it('commits and rolls back transactions', async () => {
    const bearer = plain.ci(ann.token);
    const { body } = await bearer.post('/organizations', { name: 'Plain' }).expect(201);
    const { id } = body as { id: string };
    await bearer.post(`/projects?organization_id=${id}`, { name: 'One' }).expect(201);
    await bearer.post(`/projects?organization_id=${id}`, { name: 'One' }).expect(409);
    const { body: listed } = await bearer.get(`/projects?organization_id=${id}`).expect(200);
    expect((listed as { items: unknown[] }).items).toHaveLength(1);
  });

  // red when: `FAST_PATHS` does not reach the connections
  it('prepares no statement', async () => {
    /** A statement with values is prepared when it is sent the third time. */
    const statementsOf = ({ nest, systemContext }: TestApp): Promise<unknown[]> => {
      const transactions = nest.get(Transactions);
      return transactions.run(systemContext, async (tx) => {
        const read = () =>
          transactions.manager(tx).query<unknown[]>('SELECT FROM pg_prepared_statements WHERE $1', [true]);
        for (let time = 0; time < 3; time++) await read();
        return read();
      });
    };
    expect((await statementsOf(fast)).length).toBeGreaterThan(0);
    expect(await statementsOf(plain)).toEqual([]);
  });
});
