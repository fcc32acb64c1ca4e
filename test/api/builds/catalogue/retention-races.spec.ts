import { randomBytes, randomUUID } from 'node:crypto';
import { OrganizationSchedules } from '#infra/jobs/shards/organization-schedules';
import { BuildsRepository } from '../../../../src/modules/builds/catalogue/builds.repository';
import { TrashRepository } from '../../../../src/modules/builds/catalogue/deletion/trash.repository';
import { type BuildJson, Developer, type ProjectRef, scope } from '../../../support/actors/actors';
import { createTenant, type Tenant } from '../../../support/actors/tenant';
import { isWaitingForLock } from '../../../support/app/lock-waiters';
import { TestApp } from '../../../support/app/test-app';
import { until } from '../../../support/until';

jest.setTimeout(120_000);

/** What protects a build, or changes its rank, while a run of retention is about to delete it. */
describe('a run of retention', () => {
  let app: TestApp;
  let tenant: Tenant;
  let project: ProjectRef;
  beforeAll(async () => {
    // A worker would apply the rules that the project gets, at any time until the days have passed.
    app = await TestApp.start({ worker: false });
    tenant = await createTenant(app);
  });
  beforeEach(async () => {
    await logsIn();
    project = await tenant.admin.createsProject(tenant.organization, randomUUID());
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => app.stop());

  /** With a new session, because the tests let days pass. */
  async function logsIn(): Promise<void> {
    tenant = { ...tenant, admin: await Developer.logIn(app.url, tenant.admin.email, tenant.admin.password) };
  }

  const run = (): Promise<void> =>
    app.nest.get(OrganizationSchedules).runAll(app.systemContext, 'builds.apply-retention');

  /** Uploads builds, and lets the week after their announcement pass. @returns those that the rules let go, the newest last. */
  async function makesDue(due: number, kept: number): Promise<readonly BuildJson[]> {
    const builds: BuildJson[] = [];
    for (let n = 0; n < due + kept; n += 1) {
      const file = { bytes: randomBytes(1_000), fileName: 'App.dmg' };
      builds.push(await tenant.admin.uploads(project, file, { platform: 'macos', version: `1.${n}` }));
    }
    await app.clock.advance({ hours: 25 });
    await logsIn();
    const path = `/projects/${project.id}/retention`;
    const query = `organization_id=${tenant.organization.id}`;
    const rules = [{ keep_last: kept }];
    const { fingerprint } = (await tenant.admin.post(`${path}/preview?${query}`, { rules }).expect(200)).body as {
      fingerprint: string;
    };
    const body = { rules, enabled: true, fingerprint };
    await tenant.admin.request('put', `${path}?${query}`).send(body).expect(200);
    await run();
    await app.clock.advance({ days: 7, minutes: 1 });
    await logsIn();
    return builds;
  }

  const links = (id: string) => tenant.admin.post(`/links?${scope(project)}`, { build_id: id, name: 'Fair' });
  const downloads = async (id: string): Promise<void> => {
    const { body } = await tenant.admin.post(`/builds/${id}/download-url?${scope(project)}`, {}).expect(200);
    const response = await fetch(app.url + new URL((body as { url: string }).url).pathname);
    expect(response.status).toBe(200);
    await response.arrayBuffer();
  };
  const pins = (id: string) => tenant.admin.patch(`/builds/${id}?${scope(project)}`, { pinned: true });
  const deletes = (id: string) => tenant.admin.delete(`/builds/${id}?${scope(project)}`);

  // red when: the deletion looks only for pinned and current builds after it has locked them
  it.each([
    ['got a further link', async ([first]: readonly BuildJson[]) => void (await links(first!.id).expect(201))],
    ['was downloaded', async ([first]: readonly BuildJson[]) => downloads(first!.id)],
    ['was pinned', async ([first]: readonly BuildJson[]) => void (await pins(first!.id).expect(200))],
    [
      'is among the last again',
      async (builds: readonly BuildJson[]) => void (await deletes(builds.at(-1)!.id).expect(204)),
    ],
  ])('keeps a build that %s since the rules were evaluated', async (_, change) => {
    const builds = await makesDue(1, 2);
    const trash = app.nest.get(TrashRepository, { strict: false });
    const original = trash.lock.bind(trash);
    jest.spyOn(trash, 'lock').mockImplementationOnce(async (...args) => {
      await change(builds);
      return original(...args);
    });
    await run();
    const [first] = await app.sql('SELECT deleted_at, expires_at FROM build WHERE id = $1', [builds[0]!.id]);
    expect(first).toEqual({ deleted_at: null, expires_at: null });
  });

  const isWaiting = (): Promise<boolean> => isWaitingForLock(app);

  // red when: the deletion looks for links before it has locked the builds
  it('keeps a build that gets a further link while the run waits for it', async () => {
    const [build] = await makesDue(1, 1);
    const builds = app.nest.get(BuildsRepository, { strict: false });
    const original = builds.keep.bind(builds);
    let running: Promise<void> = Promise.resolve();
    jest.spyOn(builds, 'keep').mockImplementationOnce(async (...args) => {
      const isKept = await original(...args);
      running = run();
      await until(isWaiting);
      return isKept;
    });
    await links(build!.id).expect(201);
    await running;
    expect(await app.sql('SELECT deleted_at FROM build WHERE id = $1', [build!.id])).toEqual([{ deleted_at: null }]);
  });

  // red when: a new link does not lock the build
  it('deletes a build, for which a further link waits', async () => {
    const [build] = await makesDue(1, 1);
    const trash = app.nest.get(TrashRepository, { strict: false });
    const original = trash.lock.bind(trash);
    let status = Promise.resolve(0);
    jest.spyOn(trash, 'lock').mockImplementationOnce(async (...args) => {
      const locked = await original(...args);
      status = links(build!.id).then((response) => response.status);
      await until(isWaiting);
      return locked;
    });
    await run();
    expect(await status).toBe(404);
    expect(await app.sql('SELECT FROM invite WHERE build_id = $1 AND NOT is_default', [build!.id])).toEqual([]);
  });
});
