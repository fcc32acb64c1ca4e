import { randomBytes, randomUUID } from 'node:crypto';
import { HOSTED, StorageService } from '#modules/storage';
import { type BuildJson, Developer, scope } from '../../../support/actors/actors';
import { createTenant, type Tenant } from '../../../support/actors/tenant';
import { TestApp } from '../../../support/app/test-app';

const DAY_MS = 86_400_000;

interface ListJson {
  readonly items: readonly (BuildJson & {
    readonly deleted_at: string | null;
    readonly frees_bytes_at: string | null;
  })[];
}

describe('the trash', () => {
  let app: TestApp;
  let tenant: Tenant;
  let query: string;
  beforeAll(async () => {
    app = await TestApp.start();
  });
  beforeEach(async () => {
    tenant = await createTenant(app);
    query = scope(tenant.project);
  });
  afterAll(() => app.stop());

  const uploads = (bytes = randomBytes(2_000), version: string = randomUUID()): Promise<BuildJson> =>
    tenant.admin.uploads(tenant.project, { bytes, fileName: 'App.dmg' }, { platform: 'macos', version });
  const deletes = (id: string) => tenant.admin.delete(`/builds/${id}?${query}`);
  const restores = async (...ids: string[]) =>
    (await tenant.admin.post(`/builds/restore?${query}`, { ids }).expect(200)).body as unknown;
  const list = async (more = ''): Promise<ListJson['items']> =>
    ((await tenant.admin.get(`/builds?${query}${more}`).expect(200)).body as ListJson).items;
  const pathOf = (url: string): string => new URL(url).pathname;
  const statusOf = async (path: string, method = 'GET'): Promise<number> =>
    (await fetch(app.url + path, { method, redirect: 'manual' })).status;
  const intervals = async (id: string): Promise<number> =>
    (await app.sql('SELECT FROM storage_interval WHERE build_id = $1 AND ended_at IS NULL', [id])).length;

  // red when: a reader of builds forgets the condition `LIVE`
  it('hides a deleted build everywhere, and shows it again with the same link', async () => {
    const build = await uploads();
    const file = { bytes: Buffer.from('PKapp'), fileName: 'App-mac.zip' };
    const attachment = await tenant.admin.attaches(tenant.project, build, file, { kind: 'update' });
    const link = pathOf(build.install_url);
    expect(await statusOf(link)).toBe(200);
    await deletes(build.id).expect(204);
    const freesBytesAt = new Date(app.clock.now().getTime() + 7 * DAY_MS).toISOString();
    const said = (await list('&deleted=true')).find(({ id }) => id === build.id)?.frees_bytes_at ?? '';
    expect(Math.abs(Date.parse(said) - Date.parse(freesBytesAt))).toBeLessThan(60_000);

    await tenant.admin.get(`/builds/${build.id}?${query}`).expect(404);
    await tenant.admin.patch(`/builds/${build.id}?${query}`, { notes: 'x' }).expect(404);
    await tenant.admin.post(`/builds/${build.id}/rotate-link?${query}`, {}).expect(404);
    await tenant.admin.post(`/builds/${build.id}/download-url?${query}`, {}).expect(404);
    await tenant.admin.post(`/releases?${query}&channel_id=${tenant.channel.id}`, { build_id: build.id }).expect(404);
    await tenant.admin.post(`/links?${query}`, { build_id: build.id, name: 'Fair' }).expect(404);
    await tenant.admin
      .request('head', `/builds/${build.id}/attachments/${attachment.id}/download?${query}`)
      .expect(404);
    for (const path of [link, `${link}/package`, `${link}/qr.svg`, `${link}/icon`, `${link}/device`])
      expect([path, await statusOf(path)]).toEqual([path, 404]);
    for (const filter of [
      '',
      `&version=${build.version}`,
      `&sha256=${build.sha256}`,
      '&platform=macos',
      '&q=App.dmg',
      '&has_warnings=false',
    ])
      expect((await list(filter)).map(({ id }) => id)).not.toContain(build.id);
    expect(JSON.stringify((await tenant.admin.get(`/builds/facets?${query}`)).body)).not.toContain(build.version);
    const search = await tenant.admin.get(`/search?organization_id=${tenant.organization.id}&q=${build.version}`);
    expect(JSON.stringify(search.body)).not.toContain(build.id);
    const summary = await tenant.admin.get(
      `/projects/${tenant.project.id}/summary?organization_id=${tenant.organization.id}`,
    );
    expect(summary.body).toMatchObject({ counts: { builds: 1 } });
    expect(JSON.stringify(summary.body)).not.toContain(build.id);

    const trashed = await list('&deleted=true');
    expect(trashed).toEqual([
      expect.objectContaining({ id: build.id, install_url: null, icon_url: null, frees_bytes_at: said, channels: [] }),
    ]);
    expect(trashed[0]!.deleted_at).not.toBeNull();

    expect(await restores(build.id)).toEqual({ restored: 1, builds: [{ id: build.id, outcome: 'restored' }] });
    expect(await restores(build.id)).toEqual({ restored: 0, builds: [{ id: build.id, outcome: 'not_deleted' }] });
    const restored = (await tenant.admin.get(`/builds/${build.id}?${query}`).expect(200)).body as BuildJson;
    expect(restored).toEqual(build);
    expect(await statusOf(link)).toBe(200);
    expect(await list('&deleted=true')).toEqual([]);
    expect((await list()).map(({ id }) => id)).toContain(build.id);
    const after = await tenant.admin.get(
      `/projects/${tenant.project.id}/summary?organization_id=${tenant.organization.id}`,
    );
    expect(after.body).toMatchObject({ counts: { builds: 2 } });
  });

  // red when: the sweep does not wait for seven days, or the meter ends with the deletion
  it('deletes the file after seven days, and meters it until then', async () => {
    const build = await uploads();
    await deletes(build.id).expect(204);
    expect(await intervals(build.id)).toBe(1);
    await app.clock.advance({ days: 6, hours: 23 });
    await app.runsJob('builds.empty-trash');
    expect(await intervals(build.id)).toBe(1);
    await app.clock.advance({ hours: 1, minutes: 1 });
    await app.runsJob('builds.empty-trash');
    expect([await intervals(build.id), await app.sql('SELECT FROM build WHERE id = $1', [build.id])]).toEqual([0, []]);
    const events = await app.sql(
      `SELECT type, actor_kind, payload FROM audit_event WHERE payload->>'build_id' = $1 AND type <> 'build.uploaded' ORDER BY position`,
      [build.id],
    );
    expect(events).toMatchObject([
      { type: 'build.deleted', payload: { permanently: false, frees_bytes_at: expect.any(String) as string } },
      { type: 'build.purged', actor_kind: 'system' },
    ]);
  });

  it('deletes builds permanently, also from the trash', async () => {
    const [live, trashed] = [await uploads(), await uploads()];
    await deletes(trashed.id).expect(204);
    await deletes(trashed.id).expect(404);
    for (const { id } of [live, trashed]) {
      await tenant.admin.delete(`/builds/${id}?${query}&permanently=true`).expect(204);
      expect(await intervals(id)).toBe(0);
    }
    expect(await restores(live.id, trashed.id)).toMatchObject({
      restored: 0,
      builds: [{ outcome: 'not_found' }, { outcome: 'not_found' }],
    });
  });

  // red when: `only_deleted` is ignored: a build that another member has restored since is then lost
  it('leaves builds that were restored meanwhile, when only those in the trash are to be deleted', async () => {
    const [restored, trashed] = [await uploads(), await uploads()];
    for (const { id } of [restored, trashed]) await deletes(id).expect(204);
    await restores(restored.id);
    const body = { ids: [restored.id, trashed.id], permanently: true, only_deleted: true };
    const { body: done } = await tenant.admin.post(`/builds/delete?${query}`, body).expect(200);
    expect(done).toMatchObject({ deleted: 1, builds: [{ outcome: 'not_found' }, { outcome: 'deleted' }] });
    expect((await list()).map(({ id }) => id)).toContain(restored.id);
    const filter = { filter: { platform: 'macos' }, fingerprint: 'x', only_deleted: true };
    const { body: refused } = await tenant.admin.post(`/builds/delete?${query}`, filter).expect(400);
    expect(refused).toMatchObject({ error: 'invalid_input', details: { reason: 'ids_or_filter' } });
  });

  // red when: a ticket of the last ten minutes ends with its build, or an older one does not
  it('lets downloads of the last ten minutes finish', async () => {
    const [build, other] = [await uploads(), await uploads()];
    const ticketOf = async ({ id }: BuildJson): Promise<string> => {
      const { body } = await tenant.admin.post(`/builds/${id}/download-url?${query}`, {}).expect(200);
      return pathOf((body as { url: string }).url);
    };
    const old = await ticketOf(other);
    await app.clock.advance({ minutes: 11 });
    tenant = { ...tenant, admin: await Developer.logIn(app.url, tenant.admin.email, tenant.admin.password) };
    const ticket = await ticketOf(build);
    for (const { id } of [build, other]) await deletes(id).expect(204);
    expect([await statusOf(ticket), await statusOf(old)]).toEqual([200, 404]);
  });

  // red when: an upload of the same file stores it twice, deletes the new file although the stored one is lost, or keeps the notes of the deleted build
  it('restores a build that is uploaded again', async () => {
    const bytes = randomBytes(3_000);
    const build = await uploads(bytes, '5.0');
    await deletes(build.id).expect(204);
    const [stored] = await app.sql<{ key: string }>('SELECT blob_key AS key FROM build WHERE id = $1', [build.id]);
    const store = await app.nest.get(StorageService, { strict: false }).storeOf(app.systemContext, HOSTED);
    await store.delete(stored!.key);
    const other = await uploads(bytes, '5.1');
    expect(other.id).not.toBe(build.id);
    const again = await tenant.admin.uploads(
      tenant.project,
      { bytes, fileName: 'App.dmg' },
      { platform: 'macos', version: '5.0', notes: 'Once more' },
    );
    expect(again).toMatchObject({ id: build.id, install_url: build.install_url, notes: 'Once more', deleted_at: null });
    expect(await intervals(build.id)).toBe(1);
    const { body } = await tenant.admin.post(`/builds/${build.id}/download-url?${query}`, {}).expect(200);
    const downloaded = await fetch(app.url + pathOf((body as { url: string }).url));
    expect(Buffer.from(await downloaded.arrayBuffer())).toEqual(bytes);
    expect(await app.sql('SELECT FROM stored_build WHERE organization_id = $1', [tenant.organization.id])).toHaveLength(
      (await app.sql('SELECT FROM build WHERE organization_id = $1', [tenant.organization.id])).length +
        (await app.sql('SELECT FROM attachment WHERE organization_id = $1', [tenant.organization.id])).length,
    );
  });

  // red when: a release of a build in the trash is listed, becomes current, or is current after the restoration; or a restoration withdraws
  // one without an event
  it('hides releases with their builds, and never makes a restored build current', async () => {
    const channel = await tenant.admin.createsChannel(tenant.project);
    const [first, second, third] = [await uploads(), await uploads(), await uploads()];
    const releases = [];
    for (const build of [first, second, third])
      releases.push(await tenant.admin.promotes(tenant.project, channel, build));
    const where = `${query}&channel_id=${channel.id}`;
    const listed = async () =>
      (
        (await tenant.admin.get(`/releases?${where}`).expect(200)).body as { items: { id: string; current: boolean }[] }
      ).items.map(({ id, current }) => [id, current]);
    await deletes(third.id).expect(409);
    await deletes(second.id).expect(204);
    expect(await listed()).toEqual([
      [releases[2]!.id, true],
      [releases[0]!.id, false],
    ]);
    await tenant.admin.delete(`/releases/${releases[2]!.id}?${where}`).expect(204);
    expect(await listed()).toEqual([[releases[0]!.id, true]]);
    await restores(second.id);
    expect(await listed()).toEqual([[releases[0]!.id, true]]);
    const withdrawn = await app.sql(
      `SELECT payload->>'release_id' AS id, payload->'by_restoration' AS by FROM audit_event
       WHERE type = 'release.withdrawn' AND payload->>'channel_id' = $1 ORDER BY position`,
      [channel.id],
    );
    expect(withdrawn).toEqual([
      { id: releases[2]!.id, by: null },
      { id: releases[1]!.id, by: true },
    ]);
    await tenant.admin.promotes(tenant.project, channel, second);
    await deletes(first.id).expect(204);
    await restores(first.id);
    expect((await listed()).map(([id]) => id)).toContain(releases[0]!.id);
    await deletes(first.id).expect(204);
  });

  // red when: the restoration deletes the release, which `current_release` refers to, so that the trash of the project is never emptied
  it('keeps a hidden release that a process of the previous release made current', async () => {
    const channel = await tenant.admin.createsChannel(tenant.project);
    const build = await uploads();
    const hidden = await tenant.admin.promotes(tenant.project, channel, build);
    const next = await tenant.admin.promotes(tenant.project, channel, await uploads());
    await deletes(build.id).expect(204);
    // That release withdraws the next one, and does not see that the one before is hidden.
    await app.sql('UPDATE current_release SET release_id = $1 WHERE release_id = $2', [hidden.id, next.id]);
    await app.sql('DELETE FROM release WHERE id = $1', [next.id]);
    await app.clock.advance({ days: 7, minutes: 1 });
    await app.runsJob('builds.empty-trash');
    const found = await app.sql(
      `SELECT b.deleted_at AS build, r.deleted_at AS release FROM build b JOIN release r ON r.build_id = b.id WHERE b.id = $1`,
      [build.id],
    );
    expect(found).toEqual([{ build: null, release: null }]);
  });

  it('is emptied with its channel and its project', async () => {
    const project = await tenant.admin.createsProject(tenant.organization, randomUUID());
    const channel = await tenant.admin.createsChannel(project);
    const upload = (version: string) =>
      tenant.admin.uploads(project, { bytes: randomBytes(1_000), fileName: 'App.dmg' }, { platform: 'macos', version });
    const build = await upload('1');
    const release = await tenant.admin.promotes(project, channel, build);
    const next = await tenant.admin.promotes(project, channel, await upload('2'));
    await tenant.admin.delete(`/builds/${build.id}?${scope(project)}`).expect(204);
    await tenant.admin.delete(`/releases/${next.id}?${scope(project)}&channel_id=${channel.id}`).expect(204);
    await tenant.admin.delete(`/channels/${channel.id}?${scope(project)}`).expect(204);
    expect(await app.sql('SELECT FROM release WHERE id = $1', [release.id])).toEqual([]);
    const path = `/projects/${project.id}?organization_id=${tenant.organization.id}`;
    await tenant.admin.delete(path).expect(409);
    const { items } = (await tenant.admin.get(`/builds?${scope(project)}`)).body as ListJson;
    for (const { id } of items) await tenant.admin.delete(`/builds/${id}?${scope(project)}`).expect(204);
    await tenant.admin.delete(path).expect(204);
    expect(await app.sql('SELECT FROM build WHERE project_id = $1', [project.id])).toEqual([]);
    expect(await intervals(build.id)).toBe(0);
  });

  it('needs MANAGE_RELEASES', async () => {
    const manager = app.ci(await tenant.admin.createsToken(tenant.project, 'MANAGE_TESTERS'));
    await manager.post(`/builds/restore?${query}`, { ids: [tenant.build.id] }).expect(403);
  });
});

describe('a pinned build', () => {
  let app: TestApp;
  let tenant: Tenant;
  let query: string;
  beforeAll(async () => {
    app = await TestApp.start();
    tenant = await createTenant(app);
    query = scope(tenant.project);
  });
  afterAll(() => app.stop());

  // red when: a deletion does not look at `pinned`
  it('is not deleted until it is unpinned', async () => {
    const build = await tenant.admin.uploads(
      tenant.project,
      { bytes: randomBytes(2_000), fileName: 'App.dmg' },
      { platform: 'macos', version: '1' },
    );
    expect(build).toMatchObject({ pinned: false, expires_at: null, deleted_at: null, frees_bytes_at: null });
    const pins = async (pinned: boolean) =>
      (await tenant.admin.patch(`/builds/${build.id}?${query}`, { pinned }).expect(200)).body as unknown;
    expect(await pins(true)).toMatchObject({ pinned: true, notes: null });
    const refused = await tenant.admin.delete(`/builds/${build.id}?${query}`).expect(400);
    expect(refused.body).toMatchObject({ error: 'operation_not_allowed', details: { reason: 'build_pinned' } });
    const many = await tenant.admin.post(`/builds/delete?${query}`, { ids: [build.id] }).expect(200);
    expect(many.body).toMatchObject({ deleted: 0, builds: [{ id: build.id, outcome: 'pinned', channels: [] }] });
    await pins(false);
    await tenant.admin.delete(`/builds/${build.id}?${query}`).expect(204);
  });
});
