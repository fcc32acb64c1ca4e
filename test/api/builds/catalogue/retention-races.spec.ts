import { randomBytes, randomUUID } from 'node:crypto';
import { OrganizationSchedules } from '#infra/jobs/shards/organization-schedules';
import { TrashRepository } from '../../../../src/modules/builds/catalogue/deletion/trash.repository';
import { type BuildJson, Developer, type ProjectRef, scope } from '../../../support/actors/actors';
import { createTenant, type Tenant } from '../../../support/actors/tenant';
import { TestApp } from '../../../support/app/test-app';

jest.setTimeout(120_000);

/** What protects a build, or changes its rank, while a run of retention is about to delete it. */
describe('a run of retention', () => {
  let app: TestApp;
  let tenant: Tenant;
  let project: ProjectRef;
  beforeAll(async () => {
    app = await TestApp.start();
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

  const timed = async (work: () => Promise<void>): Promise<number> => {
    const started = performance.now();
    await work();
    return performance.now() - started;
  };

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

  // red when: a new link does not lock the build, or the deletion looks for links before it has locked the builds
  it('deletes a build, or lets it have a new link, when both happen concurrently', async () => {
    const outcomes = new Set<string>();
    // The links come while the run works, and one after it. The last run says how long that is.
    let runMs = 100;
    for (let round = 0; round < 6; round += 1) {
      project = await tenant.admin.createsProject(tenant.organization, randomUUID());
      const builds = (await makesDue(4, 1)).slice(0, 4);
      const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
      const [answers, took] = await Promise.all([
        Promise.all(builds.map(async ({ id }, n) => (await pause((n / 2) * runMs), links(id)))),
        timed(run),
      ]);
      runMs = took;
      for (const [n, { id }] of builds.entries()) {
        const [build] = await app.sql<{ deleted_at: Date | null }>('SELECT deleted_at FROM build WHERE id = $1', [id]);
        outcomes.add(`${answers[n]!.status} ${build!.deleted_at === null ? 'stays' : 'deleted'}`);
      }
    }
    expect([...outcomes].sort()).toEqual(['201 stays', '404 deleted']);
  });
});
