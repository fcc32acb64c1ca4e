import { randomUUID } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { Transactions } from '#infra/database/transactions';
import { AuditChainService } from '#modules/audit';
import { type Developer, type OrganizationRef, scope } from '../../support/actors/actors';
import { verifiedDeveloper } from '../../support/actors/tenant';
import { TestApp } from '../../support/app/test-app';
import { ipa } from '../../support/artifacts/valid-artifacts';
import { OpenApiConformance } from '../../support/checks/routes/openapi-conformance';
import { rawRequest } from '../../support/load/raw-http';
import { until } from '../../support/until';

interface EventJson {
  readonly id: string;
  readonly type: string;
  readonly actor: { readonly kind: string; readonly id: string | null; readonly label: string | null };
  readonly time: string;
  readonly source_ip: string | null;
  readonly request_id: string;
  readonly project_id: string | null;
  readonly subject_label: string | null;
  readonly payload: Readonly<Record<string, unknown>>;
}

interface DayJson {
  readonly day: string;
  readonly events: EventJson[];
  readonly previous_day: string | null;
  readonly next_day: string | null;
}

interface Planted {
  readonly time: string;
  readonly type?: string;
  readonly actorId?: string | null;
  readonly actorKind?: string;
  readonly ip?: string;
}

describe('the audit feed', () => {
  let app: TestApp;
  let ann: Developer;
  let acme: OrganizationRef;
  beforeAll(async () => {
    app = await TestApp.start();
    // To the beginning of a day, which does not end during the tests.
    await app.clock.advanceToFifth();
    ann = await app.developer();
    acme = await ann.createsOrganization();
  });
  afterAll(() => app.stop());

  const path = (organization: OrganizationRef, query: Record<string, string> = {}): string =>
    `/audit/organization/${organization.id}?${new URLSearchParams(query).toString()}`;
  const day = async (query: Record<string, string> = {}, organization = acme, reader = ann): Promise<DayJson> =>
    (await reader.get(path(organization, query)).expect(200)).body as DayJson;

  /** Inserts events of other days, which no request can create. */
  const plant = async (organization: OrganizationRef, events: readonly Planted[]): Promise<void> => {
    for (const event of events) {
      const { time, type = 'build.uploaded', actorKind = 'developer', ip = '198.51.100.1' } = event;
      const { actorId = randomUUID() } = event;
      await app.sql(
        `INSERT INTO audit_event (id, organization_id, type, actor_kind, actor_id, source_ip, request_id, payload, time)
         VALUES (gen_random_uuid(), $1, $2, $6, $3, $4, 'planted', '{}', $5)`,
        [organization.id, type, actorId, ip, time, actorKind],
      );
    }
  };

  it('returns actor, time, address and payload of each event, newest first', async () => {
    const project = await ann.createsProject(acme, 'Rocket');
    const ci = app.ci(await ann.createsToken(project));
    const build = await ci.uploads(project, { bytes: ipa(), fileName: 'Demo.ipa' });
    const requestId = randomUUID();
    const deletion = await ann
      .delete(`/builds/${build.id}?${scope(project)}`)
      .set('X-Request-Id', requestId)
      .expect(204);
    const response = await ann.get(path(acme)).expect(200);
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
    const { day: today, events, previous_day, next_day } = response.body as DayJson;
    expect({ today, previous_day, next_day }).toEqual({
      today: app.clock.now().toISOString().slice(0, 10),
      previous_day: null,
      next_day: null,
    });
    expect(events.map(({ type }) => type)).toEqual([
      'build.deleted',
      'build.uploaded',
      'project_access_token.created',
      'project.created',
      'organization.created',
    ]);
    expect(events[0]).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      type: 'build.deleted',
      actor: { kind: 'developer', id: ann.id, label: ann.email },
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
      source_ip: '127.0.0.1',
      request_id: deletion.headers['x-request-id'],
      project_id: project.id,
      subject_label: null,
      payload: {
        build_id: build.id,
        platform: build.platform,
        version: build.version,
        build_number: build['build_number'],
        permanently: false,
        frees_bytes_at: expect.any(String) as string,
        client_request_id: requestId,
      },
    });
    expect(events[1]?.actor).toMatchObject({ kind: 'project_access_token', label: 'CI' });
    const problems = new OpenApiConformance(app.nest).problemsOf({
      method: 'GET',
      path: `/api/v1${path(acme)}`,
      status: 200,
      contentType: response.headers['content-type'],
      text: response.text,
    });
    expect(problems).toEqual([]);
  });

  // red when: labelsOf does not filter testers by the projects that the caller sees, or invitations by ADMIN
  it('names what an event is about, to callers who may know it', async () => {
    const organization = await ann.createsOrganization();
    const project = await ann.createsProject(organization);
    await ann.createsToken(project);
    const draft = { email: 'tess@example.com', name: 'Tess' };
    const { body } = await ann.post(`/testers?${scope(project)}`, draft).expect(201);
    const invitation = { email: 'kim@example.com', roles: ['READ'] };
    await ann.post(`/organizations/${organization.id}/invitations`, invitation).expect(201);
    const bob = await verifiedDeveloper(app);
    await app.sql(`INSERT INTO membership VALUES ($1, $2, '{AUDITOR}', now())`, [organization.id, bob.id]);
    const subjects = async (reader: Developer): Promise<Record<string, string | null>> => {
      const { events } = await day({}, organization, reader);
      return Object.fromEntries(events.map(({ type, subject_label: label }) => [type, label]));
    };
    const all = { 'tester.created': 'Tess', 'project_access_token.created': 'CI', 'member.invited': 'kim@example.com' };
    expect(await subjects(ann)).toMatchObject({ ...all, 'project.created': null });
    expect(await subjects(bob)).toMatchObject({ ...all, 'tester.created': null, 'member.invited': null });
    const own = [organization.id, project.id, bob.id];
    await app.sql(`INSERT INTO project_membership VALUES ($1, $2, $3, 'VIEW_PROJECT')`, own);
    expect(await subjects(bob)).toMatchObject({ 'tester.created': 'Tess' });
    await ann.delete(`/testers/${(body as { id: string }).id}?${scope(project)}`).expect(204);
    expect(await subjects(ann)).toMatchObject({ 'tester.created': null });
  });

  // red when: who was invited is unknown as soon as they have joined
  it('names the member who accepted an invitation, until they leave', async () => {
    const organization = await ann.createsOrganization();
    const kim = await verifiedDeveloper(app);
    await ann.post(`/organizations/${organization.id}/invitations`, { email: kim.email, roles: ['READ'] }).expect(201);
    const { body } = await kim.get('/developers/me/invitations').expect(200);
    const [invitation] = (body as { items: { id: string }[] }).items;
    await kim.post(`/developers/me/invitations/${invitation!.id}/accept`).expect(200);
    const invited = async (): Promise<string | null | undefined> =>
      (await day({}, organization, ann)).events.find(({ type }) => type === 'member.invited')?.subject_label;
    expect(await invited()).toBe(kim.email);
    await ann.delete(`/organizations/${organization.id}/members/${kim.id}`).expect(204);
    expect(await invited()).toBeNull();
  });

  // red when: a repository filters by half a day, by the day of the server's time zone, or includes the next midnight
  it('returns each event on exactly one day in UTC, and names the nearest days with events', async () => {
    const organization = await ann.createsOrganization();
    await plant(
      organization,
      [
        '2026-03-01T00:00:00.000Z',
        '2026-03-01T23:59:59.999Z',
        '2026-03-02T00:00:00.000Z',
        '2026-03-02T12:00:00.000Z',
        '2026-03-29T01:30:00.000Z',
        '2099-12-31T23:59:59.999Z',
        '2100-01-01T00:00:00.000Z',
      ].map((time) => ({ time })),
    );
    const seen: string[] = [];
    let next: string | null = '2026-03-01';
    const days: string[] = [];
    while (next) {
      const page: DayJson = await day({ day: next }, organization);
      expect(page.previous_day).toBe(days.at(-1) ?? null);
      days.push(page.day);
      seen.push(...page.events.map(({ time }) => time).reverse());
      next = page.next_day;
    }
    const today = app.clock.now().toISOString().slice(0, 10);
    expect(days).toEqual(['2026-03-01', '2026-03-02', '2026-03-29', today, '2099-12-31', '2100-01-01']);
    expect(seen).toEqual([...seen].sort());
    expect(seen).toHaveLength(8);
    expect(await day({ day: '2026-07-07' }, organization)).toEqual({
      day: '2026-07-07',
      events: [],
      previous_day: '2026-03-29',
      next_day: today,
    });
  });

  // red when: the query of the nearest days ignores a filter
  it('filters by type, actor and address, for the nearest days too', async () => {
    const organization = await ann.createsOrganization();
    const [bob, eve] = [randomUUID(), randomUUID()];
    await plant(organization, [
      { time: '2026-03-01T10:00:00Z', type: 'build.deleted', actorId: bob, ip: '2001:db8::1' },
      { time: '2026-03-02T10:00:00Z', type: 'build.uploaded', actorId: bob, ip: '198.51.100.7' },
      { time: '2026-03-03T10:00:00Z', type: 'build.uploaded', actorId: eve, ip: '198.51.100.7' },
      { time: '2026-03-03T11:00:00Z', type: 'build.deleted', actorId: eve, ip: '2001:db8::1' },
      { time: '2026-03-04T10:00:00Z', type: 'build.uploaded', actorId: bob, ip: '198.51.100.7' },
      { time: '2026-03-05T10:00:00Z', type: 'build.deleted', actorId: eve, ip: '2001:db8::1' },
    ]);
    const filtered = async (query: Record<string, string>): Promise<unknown[]> => {
      const { events, previous_day, next_day } = await day({ day: '2026-03-03', ...query }, organization);
      return [events.map(({ time }) => time.slice(11, 13)), previous_day?.slice(8), next_day?.slice(8)];
    };
    expect(await filtered({ type: '', actor: '', ip: '' })).toEqual([['11', '10'], '02', '04']);
    expect(await filtered({ type: 'build.uploaded' })).toEqual([['10'], '02', '04']);
    expect(await filtered({ type: 'build.deleted' })).toEqual([['11'], '01', '05']);
    expect(await filtered({ actor: bob })).toEqual([[], '02', '04']);
    expect(await filtered({ actor: eve.toUpperCase() })).toEqual([['11', '10'], undefined, '05']);
    expect(await filtered({ ip: '2001:DB8:0::1' })).toEqual([['11'], '01', '05']);
    expect(await filtered({ ip: '::ffff:198.51.100.7' })).toEqual([['10'], '02', '04']);
    expect(await filtered({ type: 'build.deleted', actor: bob })).toEqual([[], '01', undefined]);
    expect(await filtered({ type: 'build.uploaded', actor: bob, ip: '2001:db8::1' })).toEqual([
      [],
      undefined,
      undefined,
    ]);
  });

  // red when: the filter compares the id only, or looks up the address of a developer of the organization only
  it('filters by the e-mail address or the kind of the actor, for the nearest days too', async () => {
    const organization = await ann.createsOrganization();
    const bob = await app.developer();
    const none = { actorId: null };
    await plant(organization, [
      { time: '2026-03-01T10:00:00Z', actorId: bob.id },
      { time: '2026-03-02T10:00:00Z', ...none, actorKind: 'operator' },
      { time: '2026-03-03T10:00:00Z', actorId: bob.id },
      { time: '2026-03-03T11:00:00Z', ...none, actorKind: 'operator' },
      { time: '2026-03-03T12:00:00Z', ...none, actorKind: 'system' },
      { time: '2026-03-03T13:00:00Z', ...none, actorKind: 'anonymous' },
      { time: '2026-03-04T10:00:00Z', ...none, actorKind: 'system' },
      { time: '2026-03-05T10:00:00Z', ...none, actorKind: 'anonymous' },
    ]);
    const filtered = async (actor: string): Promise<unknown[]> => {
      const { events, previous_day, next_day } = await day({ day: '2026-03-03', actor }, organization);
      return [events.map(({ time }) => time.slice(11, 13)), previous_day?.slice(8), next_day?.slice(8)];
    };
    expect(await filtered(bob.email)).toEqual([['10'], '01', undefined]);
    expect(await filtered(` ${bob.email.toUpperCase()} `)).toEqual([['10'], '01', undefined]);
    expect(await filtered('operator')).toEqual([['11'], '02', undefined]);
    expect(await filtered('service')).toEqual([['12'], undefined, '04']);
    expect(await filtered('anonymous')).toEqual([['13'], undefined, '05']);
    // An address without an account, and one of a developer who did nothing here, give the same response.
    const stranger = await app.developer();
    for (const email of ['unknown@example.com', stranger.email]) {
      expect(await filtered(email)).toEqual([[], undefined, undefined]);
    }
  });

  it.each<Record<string, string>>([
    { day: '' },
    { day: '2026-13-01' },
    { day: '2026-02-30' },
    { day: '2026-2-3' },
    { day: '20261120' },
    { day: 'today' },
    { day: '2026-11-20T00:00:00Z' },
    { day: '+002026-11-20' },
    { type: 'build.exploded' },
    { type: 'build' },
    { actor: 'nobody' },
    { actor: 'ann@' },
    { actor: 'ann@example.com\nbcc' },
    { actor: `${'a'.repeat(260)}@example.com` },
    { ip: '198.51.100.0/24' },
    { ip: 'localhost' },
    { ip: '\u0000' },
  ])('rejects the query %j', async (query) => {
    const { body } = await ann.get(path(acme, query)).expect(400);
    expect(body).toMatchObject({ error: 'validation_error', details: { fields: [{ field: Object.keys(query)[0] }] } });
  });

  it('requires the role AUDITOR or ADMIN, and can be read with a personal access token', async () => {
    const reader = await verifiedDeveloper(app);
    const become = (roles: string) =>
      app.sql(
        `INSERT INTO membership VALUES ($1, $2, $3, now())
         ON CONFLICT (organization_id, developer_id) DO UPDATE SET roles = excluded.roles`,
        [acme.id, reader.id, roles],
      );
    await become('{MANAGER,BILLING,READ}');
    const rejected = await reader.get(path(acme)).expect(403);
    expect(rejected.body).toMatchObject({ error: 'insufficient_role', details: { required_role: 'AUDITOR' } });
    await become('{AUDITOR}');
    expect((await day({}, acme, reader)).events.length).toBeGreaterThan(0);
    const { body } = await reader
      .post(`/pats?organization_id=${acme.id}`, { name: 'feed', scopes: ['audit:read'] })
      .expect(201);
    await app
      .ci((body as { token: string }).token)
      .get(path(acme))
      .expect(200);
  });

  // red when: the e-mail address is stored in the event, or the look-up of an erased developer fails
  it('shows "erased" instead of the e-mail of a deleted account, with the chain intact', async () => {
    const organization = await ann.createsOrganization();
    const leaver = await verifiedDeveloper(app);
    await app.sql(`INSERT INTO membership VALUES ($1, $2, '{ADMIN}', now())`, [organization.id, leaver.id]);
    await leaver
      .post(`/pats?organization_id=${organization.id}`, { name: `PAT of ${leaver.email}`, scopes: ['audit:read'] })
      .expect(201);
    expect((await day({ actor: leaver.id }, organization)).events[0]?.actor.label).toBe(leaver.email);
    await leaver.request('delete', '/developers/me').send({ password: leaver.password }).expect(204);
    const { text } = await ann.get(path(organization)).expect(200);
    expect(text).not.toContain(leaver.email);
    expect((JSON.parse(text) as DayJson).events.find(({ actor }) => actor.id === leaver.id)?.actor.label).toBe(
      'erased',
    );
    const stored = await app.sql<{ row: string }>('SELECT e::text AS row FROM audit_event e');
    expect(stored.filter(({ row }) => row.includes(leaver.email))).toEqual([]);
    const report = await app.nest.get(AuditChainService).verify(systemContext(app), organization.id);
    expect(report.fault).toBeNull();
  });

  // red when: a name reaches the response or the log unescaped
  it('escapes hostile names', async () => {
    const name = `<script>alert(1)</script>"],"events":[`;
    const organization = await ann.createsOrganization(name);
    const { events } = await day({}, organization);
    expect(events[0]?.payload).toEqual({ name });
  });

  // red when: a control character of a row from before such names were rejected reaches the response or the log unescaped
  it('escapes control characters of a stored event', async () => {
    const organization = await ann.createsOrganization();
    const payload = { name: '\u001b[31m' };
    await app.nest
      .get(Transactions)
      .run(systemContext(app), (tx) =>
        app.nest
          .get(AuditRecorder)
          .record(tx, { type: 'organization.updated', organizationId: organization.id, payload }),
      );
    const raw = (await ann.get(path(organization)).expect(200)).text;
    expect(raw).toContain('\\u001b');
    expect(app.logLines.join('')).not.toContain('\u001b');
  });

  it.each([
    ['no trusted proxy', '', { 'X-Forwarded-For': '198.51.100.9' }, '127.0.0.1'],
    ['a trusted proxy', '127.0.0.1', { 'X-Forwarded-For': '198.51.100.9' }, '198.51.100.9'],
    [
      'a client that sends its own X-Forwarded-For through the proxy',
      '127.0.0.1',
      { 'X-Forwarded-For': '203.0.113.66, 198.51.100.9' },
      '198.51.100.9',
    ],
    ['an IPv4-mapped IPv6 address', '127.0.0.1', { 'X-Forwarded-For': '::ffff:198.51.100.9' }, '198.51.100.9'],
    ['an IPv6 address', '127.0.0.1', { 'X-Forwarded-For': '2001:DB8::7' }, '2001:db8::7'],
    ['a header without an address', '127.0.0.1', { 'X-Forwarded-For': '<script>' }, null],
    [
      'other forwarding headers',
      '127.0.0.1',
      { 'X-Real-IP': '203.0.113.66', Forwarded: 'for=203.0.113.66' },
      '127.0.0.1',
    ],
  ])('records the address of the client: %s', async (_name, trusted, headers, expected) => {
    const beside = await TestApp.start({
      beside: app,
      worker: false,
      ...(trusted && { environment: { TRUST_PROXY: trusted } }),
    });
    const response = await rawRequest(`${beside.url}/api/v1/organizations`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${ann.token}`, 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify({ name: randomUUID() }),
    });
    await beside.stop();
    expect(response.status).toBe(201);
    const { events } = await day({}, JSON.parse(response.text) as OrganizationRef);
    expect(events[0]?.source_ip).toBe(expected);
  });

  describe('with a busy day', () => {
    const EVENTS = 12_345;
    let busy: OrganizationRef;
    beforeAll(async () => {
      busy = await ann.createsOrganization();
      await app.sql(
        `INSERT INTO audit_event (id, organization_id, type, actor_kind, actor_id, request_id, payload, time)
         SELECT gen_random_uuid(), $1, 'build.uploaded', 'developer', $2, 'planted', jsonb_build_object('n', n),
           '2026-03-03T10:00:00Z'::timestamptz + interval '1 ms' * (n / 7) FROM generate_series(1, $3) AS n`,
        [busy.id, ann.id, EVENTS],
      );
    });

    it('returns every event of the day once, in order', async () => {
      const { events } = await day({ day: '2026-03-03' }, busy);
      expect(new Set(events.map(({ payload }) => payload['n'])).size).toBe(EVENTS);
      const keys = events.map(({ time, id }) => `${time} ${id}`);
      expect(keys).toEqual([...keys].sort().reverse());
    });

    const readWith = (
      work: (response: NodeJS.ReadableStream, bytes: number) => void,
    ): Promise<{ text: string; complete: boolean }> =>
      new Promise((resolve, reject) => {
        httpRequest(
          `${app.url}/api/v1${path(busy, { day: '2026-03-03' })}`,
          { headers: { Authorization: `Bearer ${ann.token}` }, agent: false },
          (response) => {
            let text = '';
            response.on('data', (chunk: Buffer) => {
              text += chunk.toString();
              work(response, text.length);
            });
            response.on('close', () => resolve({ text, complete: response.complete }));
            response.on('error', () => undefined);
          },
        )
          .on('error', reject)
          .end();
      });

    // red when: all pages are read in one long transaction, or ahead of the client
    it('leaves no query open when the client disconnects', async () => {
      const aborted = await readWith((response) => (response as unknown as { destroy: () => void }).destroy());
      expect(aborted.complete).toBe(false);
      const busyClients = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'agate' AND state <> 'idle'`;
      await until(async () => (await app.sql(busyClients)).length === 0);
      await day({ day: '2026-03-03' }, busy);
    });

    // Runs last, because it renames the table. red when: the response is completed without the missing events
    it('responds with 503 when it cannot be read, and aborts the response when reading fails halfway', async () => {
      let renamed: Promise<unknown> | undefined;
      const { text, complete } = await readWith((response) => {
        if (renamed) return;
        response.pause();
        renamed = app.sql('ALTER TABLE audit_event RENAME TO audit_event_elsewhere').then(() => response.resume());
      });
      await renamed;
      expect(text.startsWith('{"day":"2026-03-03","events":[{')).toBe(true);
      expect(complete).toBe(false);
      expect(() => JSON.parse(text) as unknown).toThrow();

      const { body, headers } = await ann.get(path(busy)).expect(503);
      expect(body).toMatchObject({ error: 'storage_backend_unavailable' });
      expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1);
      await app.sql('ALTER TABLE audit_event_elsewhere RENAME TO audit_event');
      expect((await day({ day: '2026-03-03' }, busy)).events).toHaveLength(EVENTS);
    });
  });
});

const systemContext = ({ clock }: TestApp) =>
  ({ requestId: 'request-1', sourceIp: null, identity: { kind: 'system', name: 'test' }, clock }) as const;
