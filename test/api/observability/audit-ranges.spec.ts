import { randomUUID } from 'node:crypto';
import { parse } from 'csv-parse/sync';
import { type Developer, type OrganizationRef } from '../../support/actors/actors';
import { verifiedDeveloper } from '../../support/actors/tenant';
import { TestApp } from '../../support/app/test-app';

interface EventJson {
  readonly id: string;
  readonly time: string;
}

interface FeedJson {
  readonly day: string;
  readonly events: EventJson[];
  readonly previous_day: string | null;
  readonly next_day: string | null;
  readonly next_cursor?: string | null;
}

interface FacetsJson {
  readonly types: { type: string; count: number }[];
  readonly actors: { actor: { kind: string; id: string | null; label: string | null }; count: number }[];
  readonly days: { day: string; count: number }[];
}

describe('a range of the audit feed', () => {
  const ROCKET = randomUUID();
  let app: TestApp;
  let ann: Developer;
  let organization: OrganizationRef;
  /** Events at each noon from 1 to 5 March, two at the same time on the third. */
  const TIMES = ['01', '02', '03', '03', '04', '05'].map((day) => `2026-03-${day}T12:00:00.000Z`);
  beforeAll(async () => {
    app = await TestApp.start({ worker: false });
    ann = await verifiedDeveloper(app);
    organization = await ann.createsOrganization();
    for (const [index, time] of TIMES.entries()) {
      await app.sql(
        `INSERT INTO audit_event (id, organization_id, project_id, type, actor_kind, actor_id, actor_label, request_id, payload, time)
         VALUES (gen_random_uuid(), $1, $2, $3, $4, $5, $6, 'planted', $7, $8)`,
        [
          organization.id,
          index % 2 === 0 ? ROCKET : null,
          index === 0 ? 'project.created' : 'build.uploaded',
          index === 5 ? 'invite' : index > 2 ? 'developer' : 'project_access_token',
          index > 2 && index < 5 ? ann.id : '01890000-0000-7000-8000-00000000000a',
          index > 2 ? null : '=cmd|calc',
          { text: 'a, "quoted"\nvalue' },
          time,
        ],
      );
    }
  });
  afterAll(() => app.stop());

  const path = (query: Record<string, string>, suffix = ''): string =>
    `/audit/organization/${organization.id}${suffix}?${new URLSearchParams(query).toString()}`;
  const read = async (query: Record<string, string>): Promise<FeedJson> =>
    (await ann.get(path(query)).expect(200)).body as FeedJson;
  const timesOf = ({ events }: FeedJson): string[] => events.map(({ time }) => time.slice(8, 10));

  it('includes both days, or ends before a time, and names the nearest days outside', async () => {
    const days = await read({ from: '2026-03-02', to: '2026-03-03' });
    expect(timesOf(days)).toEqual(['03', '03', '02']);
    expect(days).toMatchObject({ day: '2026-03-03', previous_day: '2026-03-01', next_day: '2026-03-04' });
    expect(days).not.toHaveProperty('next_cursor');
    expect(timesOf(await read({ from: '2026-03-02T12:00:00Z', to: '2026-03-04T13:00:00+01:00' }))).toEqual([
      '03',
      '03',
      '02',
    ]);
    expect(timesOf(await read({ to: '2026-03-01' }))).toEqual(['01']);
    const open = await read({ from: '2026-03-05' });
    expect(open.events).toHaveLength(2);
    expect(open).toMatchObject({ day: app.clock.now().toISOString().slice(0, 10), previous_day: '2026-03-04' });
  });

  // red when: the cursor holds only the time, or the nearest days depend on the page
  it('is read page by page without losing or repeating an event', async () => {
    const range = { from: '2026-03-01', to: '2026-03-05' };
    const all = await read(range);
    for (const limit of ['1', '2', '3', '6', '50']) {
      const seen: EventJson[] = [];
      let cursor: string | null | undefined = '';
      while (typeof cursor === 'string') {
        const page: FeedJson = await read({ ...range, limit, cursor });
        expect(page.previous_day).toBeNull();
        seen.push(...page.events);
        cursor = page.next_cursor;
      }
      expect(cursor).toBeNull();
      expect(seen).toEqual(all.events);
    }
    const { next_cursor } = await read({ ...range, limit: '2' });
    expect(timesOf(await read({ ...range, cursor: next_cursor! }))).toEqual(['03', '03', '02', '01']);
  });

  it('can be limited to a project, for the nearest days too', async () => {
    const rocket = await read({ day: '2026-03-03', project_id: ROCKET.toUpperCase() });
    expect(timesOf(rocket)).toEqual(['03']);
    expect(rocket).toMatchObject({ previous_day: '2026-03-01', next_day: '2026-03-04' });
    expect(await read({ day: '2026-03-03', project_id: randomUUID() })).toMatchObject({
      events: [],
      previous_day: null,
      next_day: null,
    });
  });

  it.each<[Record<string, string>, string]>([
    [{ day: '2026-03-01', from: '2026-03-01' }, 'day'],
    [{ from: '2026-03-02', to: '2026-03-01' }, 'to'],
    [{ from: 'yesterday' }, 'from'],
    [{ from: '2026-02-30' }, 'from'],
    [{ to: '2026-03-01T12:00:00' }, 'to'],
    [{ to: '2026-03-01T25:00:00Z' }, 'to'],
    [{ project_id: 'rocket' }, 'project_id'],
    [{ limit: '0' }, 'limit'],
  ])('rejects %j', async (query, field) => {
    const { body } = await ann.get(path(query)).expect(400);
    expect(body).toMatchObject({ error: 'validation_error', details: { fields: [{ field }] } });
  });

  it('is exported with one line per event, safe for spreadsheets', async () => {
    const response = await ann.get(path({ from: '2026-03-01', to: '2026-03-05' }, '/export.csv')).expect(200);
    expect(response.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': 'attachment; filename=audit-2026-03-01-2026-03-05.csv',
    });
    const rows = parse<Record<string, string>>(response.text, { columns: true });
    const { events } = await read({ from: '2026-03-01', to: '2026-03-05' });
    expect(rows.map(({ id }) => id)).toEqual(events.map(({ id }) => id));
    expect(Object.keys(rows[0]!)).toContain('payload');
    expect(JSON.parse(rows[0]!['payload']!)).toEqual({ text: 'a, "quoted"\nvalue' });
    expect(rows.at(-1)!['actor_label']).toBe("'=cmd|calc");
    expect(rows[1]!['actor_label']).toBe(ann.email);
    const none = await ann.get(path({ day: '2025-01-01' }, '/export.csv')).expect(200);
    expect(none.text.split('\r\n')).toHaveLength(2);
    await ann.get(path({ day: 'x' }, '/export.csv')).expect(400);
  });

  // red when: pages of the export overlap
  it('is exported completely when it has more events than one statement reads', async () => {
    await app.sql(
      `INSERT INTO audit_event (id, organization_id, type, actor_kind, request_id, payload, time)
       SELECT gen_random_uuid(), $1, 'build.uploaded', 'system', 'planted', '{}', '2026-02-10T00:00:00Z'::timestamptz + n / 7 * interval '1 s'
       FROM generate_series(1, 2500) AS n`,
      [organization.id],
    );
    const { text } = await ann.get(path({ day: '2026-02-10' }, '/export.csv')).expect(200);
    const ids = parse<Record<string, string>>(text, { columns: true }).map(({ id }) => id);
    expect(new Set(ids).size).toBe(2500);
    expect(ids).toHaveLength(2500);
  });

  it('lists the types, actors and days for filters', async () => {
    const facets = async (query: Record<string, string>): Promise<FacetsJson> =>
      (await ann.get(path(query, '/facets')).expect(200)).body as FacetsJson;
    const march = await facets({ from: '2026-03-01', to: '2026-03-31' });
    expect(march).toMatchObject({
      from: '2026-03-01T00:00:00.000Z',
      to: '2026-04-01T00:00:00.000Z',
      types: [
        { type: 'build.uploaded', count: 5 },
        { type: 'project.created', count: 1 },
      ],
      actors: [
        { actor: { kind: 'project_access_token', label: '=cmd|calc' }, count: 3 },
        { actor: { kind: 'developer', id: ann.id, label: ann.email }, count: 2 },
      ],
    });
    expect(march.actors).toHaveLength(2);
    expect(march.days).toEqual([
      { day: '2026-03-05', count: 1 },
      { day: '2026-03-04', count: 1 },
      { day: '2026-03-03', count: 2 },
      { day: '2026-03-02', count: 1 },
      { day: '2026-03-01', count: 1 },
    ]);
    expect((await facets({ from: '2026-03-01', to: '2026-03-31', project_id: ROCKET })).days).toHaveLength(3);
    expect((await facets({})).types).toEqual([{ type: 'organization.created', count: 1 }]);
    await ann.get(path({ from: '2026-03-01', to: '2026-04-01' }, '/facets')).expect(400);
  });

  it('is not available to members without the role AUDITOR', async () => {
    const bob = await verifiedDeveloper(app);
    await app.sql(`INSERT INTO membership VALUES ($1, $2, '{MANAGER}', now())`, [organization.id, bob.id]);
    for (const suffix of ['/export.csv', '/facets']) await bob.get(path({}, suffix)).expect(403);
  });
});
