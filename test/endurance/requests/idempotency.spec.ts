import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import type supertest from 'supertest';
import { Bearer, Developer, type ProjectRef, scope } from '../../support/actors/actors';
import { SlowUpload } from '../../support/actors/slow-upload';
import { lockWaiters } from '../../support/app/lock-waiters';
import { TestApp } from '../../support/app/test-app';
import { apk } from '../../support/artifacts/valid-artifacts';
import { rawRequest } from '../../support/load/raw-http';
import { ServerProcess } from '../../support/processes/server-process';

type Attempt = (bearer: Bearer, key: string) => supertest.Test;

const ROUNDS = 5;
const PARALLEL = 50;
/** Kills at each point. The full run: `CRASH_ROUNDS=20 npm run test:endurance -- idempotency`. */
const KILLS = Number(process.env['CRASH_ROUNDS'] ?? 1);
const FILE = { bytes: apk(), fileName: 'Demo.apk' };

jest.setTimeout(240_000 + KILLS * 30_000);

/** Runs on two real server processes that share a database. */
describe('Idempotency-Key', () => {
  let app: TestApp;
  let servers: ServerProcess[];
  let ann: Developer;
  let project: ProjectRef;
  let buildId: string;
  let ciToken: string;

  beforeAll(async () => {
    app = await TestApp.start();
    servers = await Promise.all([ServerProcess.start(app), ServerProcess.start(app)]);
    ann = await app.developer();
    project = await ann.createsProject(await ann.createsOrganization());
    ciToken = await ann.createsToken(project, 'MANAGE_PROJECT');
    buildId = (await app.ci(ciToken).uploads(project, FILE)).id;
  });
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.kill()));
    await app.stop();
  });

  /** A caller at one of the processes. */
  const at = (n: number, token = ann.token): Bearer => new Bearer(servers[n % servers.length]!.url, token);

  /** Retries with the same key, as clients should. */
  const insist = async (attempt: () => supertest.Test): Promise<supertest.Response> => {
    for (;;) {
      const response = await attempt();
      const inFlight = (response.body as { details?: { reason?: string } }).details?.reason === 'idempotency_in_flight';
      if (response.status !== 503 && !inFlight) return response;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  };

  const count = async (table: string): Promise<number> =>
    (await app.sql<{ count: number }>(`SELECT count(*)::int AS count FROM ${table}`))[0]!.count;

  const create =
    (path: () => string, body: () => object): Attempt =>
    (bearer, key) =>
      bearer.post(path(), body()).set('Idempotency-Key', key);
  const createsToken = create(
    () => `/project-access-tokens?${scope(project)}`,
    () => ({ name: 'CI', role: 'UPLOAD_BUILD' }),
  );
  const mintsUrl = create(
    () => `/builds/${buildId}/download-url?${scope(project)}`,
    () => ({}),
  );
  const uploads: Attempt = (bearer, key) => bearer.upload(project, FILE).set('Idempotency-Key', key);

  describe('with 50 parallel identical requests on two processes', () => {
    // red when: IdempotencyService.admit always returns an attempt, so that the claim is ignored
    it.each<[string, string, (round: number) => Attempt]>([
      [
        'organizations',
        'organization',
        (round) =>
          create(
            () => '/organizations',
            () => ({ name: `Round ${round}` }),
          ),
      ],
      [
        'projects',
        'project',
        (round) =>
          create(
            () => `/projects?organization_id=${project.organizationId}`,
            () => ({ name: `Round ${round}` }),
          ),
      ],
      ['project access tokens', 'project_access_token', () => createsToken],
      ['download URLs', 'download_ticket', () => mintsUrl],
      ['uploads', 'build', () => uploads],
    ])('makes one effect and returns it to all: %s', async (_name, table, attemptOf) => {
      for (let round = 0; round < ROUNDS; round++) {
        const key = randomUUID();
        const attempt = attemptOf(round);
        const before = { rows: await count(table), events: await count('audit_event') };
        const responses = await Promise.all(
          Array.from({ length: PARALLEL }, (_, n) => insist(() => attempt(at(n), key))),
        );
        expect(new Set(responses.map(({ status, text }) => `${status} ${text}`))).toEqual(
          new Set([`${responses[0]!.status} ${responses[0]!.text}`]),
        );
        expect(responses[0]!.status).toBeLessThan(300);
        const fresh = responses.filter(({ headers }) => headers['idempotency-replayed'] !== 'true');
        expect(fresh.length).toBeLessThanOrEqual(1);
        expect({ rows: await count(table), events: await count('audit_event') }).toEqual({
          rows: before.rows + 1,
          events: before.events + 1,
        });
      }
      expect(await count(`artifact_upload`)).toBe(0);
      expect(await count(`idempotency_record WHERE state = 'in_flight'`)).toBe(0);
    });
  });

  // red when: the replay does not set the header, or the response is kept in the process
  it('replays status and body byte for byte, after a restart too', async () => {
    const token = (await at(0).post(`/project-access-tokens?${scope(project)}`, { name: 'x', role: 'UPLOAD_BUILD' }))
      .body as { id: string };
    const attempts: Attempt[] = [
      createsToken,
      mintsUrl,
      uploads,
      (bearer, key) =>
        bearer.delete(`/project-access-tokens/${token.id}?${scope(project)}`).set('Idempotency-Key', key),
    ];
    const keys = attempts.map(() => randomUUID());
    const first = await Promise.all(attempts.map((attempt, n) => attempt(at(0), keys[n]!)));
    expect(first.map(({ status }) => status)).toEqual([201, 200, 201, 204]);
    expect(first.map(({ headers }) => headers['idempotency-replayed'])).toEqual(attempts.map(() => undefined));

    expect(await servers[0]!.stop()).toEqual({ code: 0, signal: null });
    servers[0] = await ServerProcess.start(app);
    const again = await Promise.all(attempts.map((attempt, n) => attempt(at(0), keys[n]!)));
    expect(again.map(({ status, text }) => [status, text])).toEqual(first.map(({ status, text }) => [status, text]));
    expect(again.map(({ headers }) => headers['idempotency-replayed'])).toEqual(attempts.map(() => 'true'));
  });

  it('replays an upload of 40 MB', async () => {
    const key = randomUUID();
    const big = Buffer.alloc(40_000_000, 1);
    const send = async (bearer: Bearer) => {
      const upload = new SlowUpload(bearer, bearer.token, project, big, { 'Idempotency-Key': key });
      const answer = await upload.finish();
      return { status: answer?.status, replayed: answer?.headers['idempotency-replayed'], text: answer?.text };
    };
    const first = await send(at(0));
    expect(first).toMatchObject({ status: 201, replayed: undefined });
    for (let n = 0; n < 5; n++) expect(await send(at(n))).toEqual({ ...first, replayed: 'true' });
  });

  describe('used a second time', () => {
    it('is rejected with another body or other parents', async () => {
      const key = randomUUID();
      const path = `/projects?organization_id=${project.organizationId}`;
      await at(0)
        .post(path, { name: `One ${key}` })
        .set('Idempotency-Key', key)
        .expect(201);
      const other = await ann.createsOrganization();
      // red when: the fingerprint omits the body or the query
      for (const [where, name] of [
        [path, `Two ${key}`],
        [`/projects?organization_id=${other.id}`, `One ${key}`],
      ] as const) {
        const refused = await at(1).post(where, { name }).set('Idempotency-Key', key).expect(400);
        expect(refused.body).toMatchObject({ error: 'invalid_input', details: { reason: 'idempotency_key_reused' } });
      }
      // The order of names in a body does not matter.
      const token = { name: 'x', role: 'UPLOAD_BUILD' };
      const first = await at(0)
        .post(`/project-access-tokens?${scope(project)}`, token)
        .set('Idempotency-Key', key);
      const turned = { role: 'UPLOAD_BUILD', name: 'x' };
      const second = await at(1)
        .post(`/project-access-tokens?${scope(project)}`, turned)
        .set('Idempotency-Key', key);
      expect([second.status, second.text]).toEqual([201, first.text]);
    });

    // red when: the response to a form is stored without the form's digest; the digest is of the raw body
    it('is rejected with another form of any length, and replayed for the form in another encoding', async () => {
      const key = randomUUID();
      const send = async (n: number, { version = '1', file = 'a', boundary = 'cut', chunked = false } = {}) => {
        const part = (name: string, value: string): string =>
          `--${boundary}\r\nContent-Disposition: form-data; ${name}\r\n\r\n${value}\r\n`;
        const texts = part('name="platform"', 'linux') + part('name="version"', version);
        const { status, headers, text } = await rawRequest(`${at(n).url}/api/v1/builds?${scope(project)}`, {
          method: 'POST',
          headers: {
            Authorization: `Bearer ${ann.token}`,
            'Idempotency-Key': key,
            'Content-Type': `multipart/form-data; boundary=${boundary}`,
            ...(chunked && { 'Transfer-Encoding': 'chunked' }),
          },
          body: `${texts}${part('name="file"; filename="a.bin"', file.repeat(30_000))}--${boundary}--\r\n`,
        });
        const { id, details } = JSON.parse(text) as { id?: string; details?: { reason?: string } };
        return [status, headers['idempotency-replayed'] ?? 'fresh', id ?? details?.reason];
      };
      const [status, first, id] = await send(0);
      expect([status, first]).toEqual([201, 'fresh']);
      const builds = await count('build');
      for (const same of [{}, { boundary: 'a-longer-boundary' }, { chunked: true }])
        expect(await send(1, same)).toEqual([201, 'true', id]);
      for (const other of [{ version: '2' }, { file: 'b' }, { file: 'b', chunked: true }, { file: 'bb' }])
        expect(await send(1, other)).toEqual([400, 'fresh', 'idempotency_key_reused']);
      expect(await count('build')).toBe(builds);
      expect(await count('artifact_upload')).toBe(0);
    });

    it('is another operation on another route', async () => {
      const key = randomUUID();
      const minted = await mintsUrl(at(0), key);
      const token = await createsToken(at(1), key);
      expect([minted.status, token.status]).toEqual([200, 201]);
      expect(token.headers['idempotency-replayed']).toBeUndefined();
    });

    // red when: the scope omits the owner
    it('is another operation for another owner', async () => {
      const key = randomUUID();
      const bob = await app.developer();
      const theirs = await bob.createsProject(await bob.createsOrganization());
      const mine = await at(0).post('/organizations', { name: 'Same' }).set('Idempotency-Key', key).expect(201);
      const his = await at(1, bob.token)
        .post('/organizations', { name: 'Same' })
        .set('Idempotency-Key', key)
        .expect(201);
      expect((his.body as { id: string }).id).not.toBe((mine.body as { id: string }).id);
      expect(his.headers['idempotency-replayed']).toBeUndefined();

      const other = await bob.createsToken(theirs, 'MANAGE_PROJECT');
      const [one, two] = [
        await uploads(at(0, ciToken), key),
        await at(0, other).upload(theirs, FILE).set('Idempotency-Key', key),
      ];
      expect([one.status, two.status]).toEqual([201, 201]);
      expect((two.body as { project_id: string }).project_id).toBe(theirs.id);
      // Access is checked before a replay.
      await uploads(at(0, other), key).expect(403);
    });
  });

  // red when: errors are stored, or the claim of a failed attempt is kept
  it('does not replay an error', async () => {
    const key = randomUUID();
    const path = `/projects?organization_id=${project.organizationId}`;
    const taken = await ann.createsProject({ id: project.organizationId }, `Taken ${key}`);
    const attempt = (n: number) =>
      at(n)
        .post(path, { name: `Taken ${key}` })
        .set('Idempotency-Key', key);
    await attempt(0).expect(409);
    await attempt(1).expect(409);
    await ann.delete(`/projects/${taken.id}?organization_id=${project.organizationId}`).expect(204);
    const { headers } = await attempt(0).expect(201);
    expect(headers['idempotency-replayed']).toBeUndefined();

    const upload = randomUUID();
    const broken = { ...FILE, bytes: FILE.bytes.subarray(0, FILE.bytes.length - 30) };
    await at(0, ciToken).upload(project, broken).set('Idempotency-Key', upload).expect(400);
    await uploads(at(1, ciToken), upload).expect(201);
  });

  // red when: credentials are checked after the replay, or the interceptor runs before the guards
  it('replays nothing to a caller who has lost the credential or the role', async () => {
    const key = randomUUID();
    const { id, token } = (await createsToken(at(0), key).expect(201)).body as { id: string; token: string };
    const upload = randomUUID();
    await uploads(at(0, token), upload).expect(201);
    await ann.delete(`/project-access-tokens/${id}?${scope(project)}`).expect(204);
    await uploads(at(1, token), upload).expect(401);

    const bob = await app.developer();
    const role = (roles: string) =>
      app.sql(
        `INSERT INTO membership VALUES ($1, $2, $3, now())
         ON CONFLICT (organization_id, developer_id) DO UPDATE SET roles = excluded.roles`,
        [project.organizationId, bob.id, roles],
      );
    await role('{MANAGER}');
    await createsToken(at(0, bob.token), key).expect(201);
    await role('{READ}');
    expect((await createsToken(at(1, bob.token), key).expect(403)).text).not.toContain('ag_prj_');
    await role('{MANAGER}');
    await bob.post('/login/logout').expect(204);
    await createsToken(at(1, bob.token), key).expect(401);
  });

  // red when: the response is stored unsealed
  it('stores the response with a new token sealed', async () => {
    const key = randomUUID();
    const body = (await createsToken(at(0), key).expect(201)).body as { token: string };
    const { token } = body;
    const rows = await app.sql<Record<string, unknown>>('SELECT * FROM idempotency_record');
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) {
      for (const value of Object.values(row)) {
        const bytes = Buffer.isBuffer(value) ? value : Buffer.from(JSON.stringify(value));
        expect(bytes.includes(token)).toBe(false);
        expect(bytes.includes('ag_prj_')).toBe(false);
        expect(bytes.includes(key)).toBe(false);
      }
    }
    expect((await createsToken(at(1), key).expect(201)).body).toEqual(body);
  });

  describe('as a header', () => {
    it.each([
      ['a number', '1'],
      ['words', 'not-a-uuid'],
      ['a UUID and more', `${randomUUID()}x`],
      ['far too long', 'x'.repeat(300)],
      ['empty', '""'],
      ['half quoted', `"${randomUUID()}`],
      ['blank', ' '],
    ])('is rejected when it is not a UUID: %s', async (_name, key) => {
      const before = await count('organization');
      const refused = await at(0).post('/organizations', { name: 'x' }).set('Idempotency-Key', key).expect(400);
      expect(refused.body).toMatchObject({
        error: 'validation_error',
        details: { fields: [{ field: 'Idempotency-Key' }] },
      });
      expect(await count('organization')).toBe(before);
    });

    it('is one key bare, quoted and in capitals', async () => {
      const key = randomUUID();
      const { text } = await createsToken(at(0), key).expect(201);
      for (const spelling of [`"${key}"`, key.toUpperCase(), ` "${key}" `]) {
        expect((await createsToken(at(1), spelling).expect(201)).text).toBe(text);
      }
    });
  });

  describe('with a kill between claim and commit', () => {
    type IsOver = () => boolean;
    /** Waits for a blocked lock of the table. False when the request ends before. */
    const waits = async (table: string, isOver: IsOver): Promise<boolean> => {
      const held = `SELECT FROM ${lockWaiters(table)}`;
      while (!isOver()) {
        if ((await app.sql(held)).length > 0) return true;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      return false;
    };
    const holding = async (client: Client, table: string): Promise<void> => {
      await client.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
    };

    /** Blocks the effect's transaction at a point until `work` is done. `arrived` resolves when the transaction waits there. */
    type Work = (arrived: (isOver: IsOver) => Promise<boolean>) => Promise<void>;
    type Point = (table: string, work: Work) => Promise<void>;
    const heldAt =
      (tableOf: (effect: string) => string): Point =>
      async (effect, work) => {
        const client = new Client({ connectionString: app.database.ownerUrl });
        await client.connect();
        try {
          await holding(client, tableOf(effect));
          await work((isOver) => waits(tableOf(effect), isOver));
        } finally {
          await client.end();
        }
      };
    const POINTS: readonly (readonly [string, Point])[] = [
      ['after the claim, before the effect', heldAt((effect) => effect)],
      ['after the effect, before its audit event', heldAt(() => 'audit_event')],
      [
        'after the audit event, before the response is stored',
        async (_effect, work) => {
          const [audit, answers] = [1, 2].map(() => new Client({ connectionString: app.database.ownerUrl })) as [
            Client,
            Client,
          ];
          await Promise.all([audit.connect(), answers.connect()]);
          try {
            await holding(audit, 'audit_event');
            await work(async (isOver) => {
              if (!(await waits('audit_event', isOver))) return false;
              await holding(answers, 'idempotency_record');
              await audit.query('ROLLBACK');
              return waits('idempotency_record', isOver);
            });
          } finally {
            await Promise.all([audit.end(), answers.end()]);
          }
        },
      ],
    ];

    // red when: a claim is never taken over, because the lease is ignored
    it.each(
      POINTS.flatMap(([point, hold]) => [
        [`a token, ${point}`, 'project_access_token', () => createsToken, hold] as const,
        [`an upload, ${point}`, 'build', () => uploads, hold] as const,
      ]),
    )('lets a retry make the effect once after the lease has expired: %s', async (_name, table, attemptOf, hold) => {
      for (let kills = 0; kills < KILLS;) {
        // Many rounds take longer than a session.
        ann.token = (await Developer.logIn(app.url, ann.email, ann.password)).token;
        const attempt = attemptOf();
        const key = randomUUID();
        const before = await count(table);
        let killed = false;
        await hold(table, async (arrived) => {
          let isOver = false;
          const answer = attempt(at(0, ann.token), key).then(
            ({ status }) => ((isOver = true), status),
            () => 'lost',
          );
          killed = await arrived(() => isOver);
          if (killed) await servers[0]!.kill();
          // On a slow machine the service's lock timeout ends the request first.
          expect(await answer).toBe(killed ? 'lost' : 503);
        });
        if (!killed) continue;
        kills++;
        expect(await count(table)).toBe(before);
        const [restarted, early] = await Promise.all([ServerProcess.start(app), attempt(at(1), key)]);
        servers[0] = restarted;
        expect(early.status).toBe(409);
        expect(early.body).toMatchObject({ error: 'already_exists', details: { reason: 'idempotency_in_flight' } });
        expect(Number(early.headers['retry-after'])).toBeGreaterThanOrEqual(1);

        await app.clock.advance({ seconds: 31 });
        const late = await attempt(at(0), key).expect(201);
        expect(late.headers['idempotency-replayed']).toBeUndefined();
        expect((await attempt(at(1), key).expect(201)).text).toBe(late.text);
        expect(await count(table)).toBe(before + 1);
        // Set the clock back: the other process has its own clock and would see a session from the future.
        await app.clock.advance({ seconds: -31 });
      }
    });
  });

  // red when: no schedule prunes, or it prunes younger records. The last test, because it moves the clock by a day.
  it('expires after 24 hours', async () => {
    // A month can end within the days that pass. Its fee would leave no money for downloads.
    await app.sql('UPDATE billing_account SET fee_waived = true');
    const [old, young] = [randomUUID(), randomUUID()];
    const ci = (): Bearer => app.ci(ciToken);
    const first = await mintsUrl(ci(), old).expect(200);
    await app.clock.advance({ hours: 23, minutes: 59 });
    expect((await mintsUrl(ci(), old).expect(200)).text).toBe(first.text);
    await mintsUrl(ci(), young).expect(200);
    await app.clock.advance({ minutes: 2 });
    const pruned = await count('idempotency_record');
    await app.runsJob('idempotency.prune');
    expect(await count('idempotency_record')).toBe(1);
    expect(pruned).toBeGreaterThan(1);
    expect((await mintsUrl(ci(), young).expect(200)).headers['idempotency-replayed']).toBe('true');
    const later = await mintsUrl(ci(), old).expect(200);
    expect(later.headers['idempotency-replayed']).toBeUndefined();
    expect(later.text).not.toBe(first.text);

    await app.clock.advance({ days: 2 });
    await app.runsJob('builds.prune-download-tickets');
    expect(await count('download_ticket')).toBe(0);
  });
});
