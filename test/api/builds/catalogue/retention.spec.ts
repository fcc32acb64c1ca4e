import { randomBytes, randomUUID } from 'node:crypto';
import { OrganizationSchedules } from '#infra/jobs/shards/organization-schedules';
import { type BuildJson, Developer, type ProjectRef, scope } from '../../../support/actors/actors';
import { createTenant, type Tenant } from '../../../support/actors/tenant';
import { TestApp } from '../../../support/app/test-app';

interface PreviewJson {
  readonly builds: number;
  readonly kept: number;
  readonly bytes: number;
  readonly saves_micro_usd_per_month: number;
  readonly sample: readonly { readonly id: string }[];
  readonly fingerprint: string;
}

describe('retention', () => {
  let app: TestApp;
  let tenant: Tenant;
  let project: ProjectRef;
  let path: string;
  beforeAll(async () => {
    app = await TestApp.start();
    tenant = await createTenant(app);
  });
  beforeEach(async () => {
    tenant = { ...tenant, admin: await logsIn() };
    project = await tenant.admin.createsProject(tenant.organization, randomUUID());
    path = `/projects/${project.id}/retention`;
  });
  afterAll(() => app.stop());

  const query = (): string => `organization_id=${tenant.organization.id}`;
  const uploads = (branch: string, version: string = randomUUID(), bytes = 1_000): Promise<BuildJson> =>
    tenant.admin.uploads(
      project,
      { bytes: randomBytes(bytes), fileName: 'App.dmg' },
      { platform: 'macos', version, branch },
    );
  const previews = async (rules: unknown, status = 200): Promise<PreviewJson> =>
    (await tenant.admin.post(`${path}/preview?${query()}`, { rules }).expect(status)).body as PreviewJson;
  const puts = (to: string, body: object) => tenant.admin.request('put', `${to}?${query()}`).send(body);
  const sets = (body: object) => puts(path, body);
  const run = (): Promise<void> =>
    app.nest.get(OrganizationSchedules).runAll(app.systemContext, 'builds.apply-retention');
  /** With a new session, because tests let days pass. */
  const logsIn = async (): Promise<Developer> => Developer.logIn(app.url, tenant.admin.email, tenant.admin.password);
  const expiryOf = async (id: string): Promise<unknown> =>
    ((await (await logsIn()).get(`/builds/${id}?${scope(project)}`).expect(200)).body as { expires_at: unknown })
      .expires_at;

  // red when: a new project has rules
  it('deletes nothing in a new project', async () => {
    const { body } = await tenant.admin.get(`${path}?${query()}`).expect(200);
    expect(body).toEqual({ rules: [], enabled: false, updated_at: null });
    const { fingerprint, ...preview } = await previews(undefined);
    expect(preview).toMatchObject({ builds: 0, kept: 0, bytes: 0, saves_micro_usd_per_month: 0, sample: [] });
    await sets({ enabled: true, fingerprint }).expect(200);
    await uploads('pr-1');
    await app.clock.advance({ days: 30 });
    await run();
    await app.clock.advance({ days: 30 });
    await run();
    expect(await app.sql('SELECT FROM build WHERE project_id = $1 AND deleted_at IS NULL', [project.id])).toHaveLength(
      1,
    );
  });

  // red when: rules are enabled without their preview, or with one that is too old
  it('is enabled only with the fingerprint of a preview of the same rules, of the last hour', async () => {
    const rules = [{ keep_last: 2, per: 'branch', branches: ['pr-*'] }];
    const refused = async (body: object, reason: string): Promise<void> => {
      expect((await sets(body).expect(400)).body).toMatchObject({
        error: 'operation_not_allowed',
        details: { reason },
      });
    };
    await refused({ rules, enabled: true }, 'preview_required');
    await refused({ rules, enabled: true, fingerprint: 'x' }, 'preview_required');
    const other = await previews([{ keep_last: 3, per: 'branch', branches: ['pr-*'] }]);
    await refused({ rules, enabled: true, fingerprint: other.fingerprint }, 'preview_required');
    const { fingerprint } = await previews(rules);
    const foreign = await tenant.admin.createsProject(tenant.organization, randomUUID());
    expect(
      (await puts(`/projects/${foreign.id}/retention`, { rules, enabled: true, fingerprint }).expect(400)).body,
    ).toMatchObject({ details: { reason: 'preview_required' } });
    const { body } = await sets({ rules, enabled: true, fingerprint }).expect(200);
    expect(body).toEqual({
      rules: [{ keep_last: 2, keep_days: null, per: 'branch', branches: ['pr-*'] }],
      enabled: true,
      updated_at: expect.any(String) as string,
    });
    await app.clock.advance({ minutes: 61 });
    tenant = { ...tenant, admin: await logsIn() };
    await refused({ rules, enabled: true, fingerprint }, 'preview_expired');
    await sets({ enabled: false }).expect(200);
  });

  // red when: the fingerprint grows with the rules
  it('is enabled with many long patterns', async () => {
    const branches = Array.from({ length: 10 }, (_, n) => `${'feature/'.repeat(11)}${n}-*`);
    const rules = [{ keep_last: 2, branches }];
    const { fingerprint } = await previews(rules);
    await sets({ rules, enabled: true, fingerprint }).expect(200);
  });

  it('rejects a rule that keeps nothing, and more than ten rules', async () => {
    for (const rules of [[{ per: 'branch' }], [{ branches: ['a'] }]])
      expect((await tenant.admin.post(`${path}/preview?${query()}`, { rules }).expect(400)).body).toMatchObject({
        details: { reason: 'rule_without_condition' },
      });
    for (const rules of [
      Array.from({ length: 11 }, () => ({ keep_last: 1 })),
      [{ keep_last: 0 }],
      [{ keep_days: 0 }],
      [{ keep_last: 1, per: 'tester' }],
      [{ keep_last: 1, branches: 'main' }],
      'x',
    ])
      await tenant.admin.post(`${path}/preview?${query()}`, { rules }).expect(400);
  });

  // red when: a build is deleted without its announcement, or not a week after it
  it('announces a deletion a week before, in an event and a mail, and takes it back for a build that is pinned', async () => {
    const rules = [{ keep_last: 1, per: 'branch', branches: ['pr-*'] }];
    const [first, second, third] = [
      await uploads('pr-1', '1.0'),
      await uploads('pr-1', '2.0'),
      await uploads('pr-1', '3.0'),
    ];
    await uploads('main', '4.0');
    await app.clock.advance({ hours: 25 });
    tenant = { ...tenant, admin: await logsIn() };
    const { fingerprint, ...preview } = await previews(rules);
    expect(preview).toMatchObject({ builds: 2, bytes: 2_000 });
    expect(preview.sample.map(({ id }) => id)).toEqual([first.id, second.id]);
    await sets({ rules, enabled: true, fingerprint }).expect(200);
    await run();
    const at = await expiryOf(first.id);
    expect(Date.parse(at as string)).toBeGreaterThan(app.clock.now().getTime() + 6.9 * 86_400_000);
    expect([await expiryOf(second.id), await expiryOf(third.id)]).toEqual([expect.any(String), null]);
    const events = await app.sql(
      `SELECT payload->>'build_id' AS id, actor_kind FROM audit_event WHERE project_id = $1 AND type = 'build.deletion_scheduled' ORDER BY position`,
      [project.id],
    );
    expect(events).toEqual([
      { id: first.id, actor_kind: 'system' },
      { id: second.id, actor_kind: 'system' },
    ]);
    const mails = (await app.mailbox.all(tenant.admin.email)).filter(({ subject }) =>
      subject?.includes('2 builds move'),
    );
    expect(mails).toHaveLength(1);
    await run();
    await (await logsIn()).patch(`/builds/${second.id}?${scope(project)}`, { pinned: true }).expect(200);
    expect(await expiryOf(second.id)).toBeNull();
    await app.clock.advance({ days: 6, hours: 23 });
    await run();
    expect(await expiryOf(first.id)).toEqual(at);
    await app.clock.advance({ hours: 2 });
    await run();
    const gone = await app.sql('SELECT id FROM build WHERE project_id = $1 AND deleted_at IS NOT NULL', [project.id]);
    expect(gone).toEqual([{ id: first.id }]);
  });

  it('takes announcements back when it is switched off', async () => {
    const rules = [{ keep_last: 1 }];
    const first = await uploads('main', '1.0');
    await uploads('main', '2.0');
    await app.clock.advance({ hours: 25 });
    tenant = { ...tenant, admin: await logsIn() };
    await sets({ rules, enabled: true, fingerprint: (await previews(rules)).fingerprint }).expect(200);
    await run();
    expect(await expiryOf(first.id)).not.toBeNull();
    await sets({ enabled: false }).expect(200);
    await run();
    expect(await expiryOf(first.id)).toBeNull();
  });

  describe('of builds that meet a filter', () => {
    const previewsFilter = async (filter: object): Promise<PreviewJson> =>
      (await tenant.admin.post(`/builds/delete/preview?${scope(project)}`, { filter }).expect(200)).body as PreviewJson;
    const deletes = (body: object) => tenant.admin.post(`/builds/delete?${scope(project)}`, body);
    const restores = async (id: string): Promise<void> =>
      void (await tenant.admin.post(`/builds/restore?${scope(project)}`, { ids: [id] }).expect(200));
    const pins = async (id: string, pinned: boolean): Promise<void> =>
      void (await tenant.admin.patch(`/builds/${id}?${scope(project)}`, { pinned }).expect(200));

    // red when: a build that was uploaded after the preview is deleted, or a fingerprint of another filter is accepted
    it('deletes what the preview shows', async () => {
      const [first, pinned, other] = [await uploads('pr-1'), await uploads('pr-2'), await uploads('main')];
      await tenant.admin.patch(`/builds/${pinned.id}?${scope(project)}`, { pinned: true }).expect(200);
      const filter = { branch: 'pr-*' };
      const { fingerprint, ...preview } = await previewsFilter(filter);
      expect(preview).toMatchObject({ builds: 1, kept: 1, bytes: 1_000, sample: [{ id: first.id, branch: 'pr-1' }] });
      const later = await uploads('pr-3');
      for (const [body, reason] of [
        [{ filter }, 'preview_required'],
        [{ filter: { branch: 'main' }, fingerprint }, 'preview_required'],
        [{ filter: {}, fingerprint }, 'filter_required'],
        [{ filter, fingerprint, ids: [first.id] }, 'ids_or_filter'],
      ] as const)
        expect((await deletes(body).expect(400)).body).toMatchObject({ details: { reason } });
      const { body } = await deletes({ filter, fingerprint }).expect(200);
      expect(body).toMatchObject({ deleted: 1, remaining: 0, builds: [{ id: first.id, outcome: 'deleted' }] });
      const { items } = (await tenant.admin.get(`/builds?${scope(project)}`)).body as { items: { id: string }[] };
      expect(items.map(({ id }) => id)).toEqual([later.id, other.id, pinned.id]);
      expect((await deletes({ filter, fingerprint }).expect(200)).body).toMatchObject({ deleted: 0, remaining: 0 });
    });

    // red when: a permanent deletion does not compare the builds with those of the preview
    it.each([
      ['restored', async (id: string) => void (await deletes({ ids: [id] }).expect(200)), restores],
      ['unpinned', async (id: string) => pins(id, true), async (id: string) => pins(id, false)],
    ])('deletes nothing permanently when a build was %s since the preview', async (_, before, after) => {
      const [hidden, shown] = [await uploads('pr-1'), await uploads('pr-2')];
      await before(hidden.id);
      const filter = { branch: 'pr-*' };
      const { fingerprint, ...preview } = await previewsFilter(filter);
      expect(preview).toMatchObject({ builds: 1, sample: [{ id: shown.id }] });
      await after(hidden.id);
      const { body } = await deletes({ filter, fingerprint, permanently: true }).expect(400);
      expect(body).toMatchObject({ details: { reason: 'preview_outdated' } });
      await tenant.admin.get(`/builds/${shown.id}?${scope(project)}`).expect(200);
      const { fingerprint: present } = await previewsFilter(filter);
      const done = await deletes({ filter, fingerprint: present, permanently: true }).expect(200);
      expect(done.body).toMatchObject({ deleted: 2, remaining: 0 });
      await tenant.admin.get(`/builds/${hidden.id}?${scope(project)}`).expect(404);
    });

    it('combines conditions', async () => {
      const build = await uploads('main', '7.0');
      const hour = (n: number): string => new Date(app.clock.now().getTime() + n * 3_600_000).toISOString();
      for (const [filter, builds] of [
        [{ version: '7.0' }, 1],
        [{ version: '7.0', platform: 'ios' }, 0],
        [{ platform: 'macos', from: hour(-1), to: hour(1) }, 1],
        [{ to: hour(-1) }, 0],
        [{ uploaded_by: tenant.admin.id }, 1],
        [{ uploaded_by: randomUUID() }, 0],
        [{ branch: 'ma?n' }, 1],
        [{ branch: 'x' }, 0],
      ] as const)
        expect([filter, (await previewsFilter(filter)).builds]).toEqual([filter, builds]);
      expect((await previewsFilter({ branch: 'main' })).sample.map(({ id }) => id)).toEqual([build.id]);
    });
  });
});
