import { OrganizationSchedules } from '#infra/jobs/shards/organization-schedules';
import {
  type Bearer,
  type BuildJson,
  Developer,
  type OrganizationRef,
  type ProjectRef,
  scope,
} from '../../../support/actors/actors';
import { verifiedDeveloper } from '../../../support/actors/tenant';
import { TestApp } from '../../../support/app/test-app';
import { ipa } from '../../../support/artifacts/valid-artifacts';
import { until } from '../../../support/until';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const SCHEDULE = 'builds.announce-signing-ends';

interface Announced {
  readonly type: string;
  readonly actor_kind: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** The database is in a zone whose days are not those of UTC, and have 23 or 25 hours in spring and autumn. */
const ZONE = 'America/New_York';

describe('the calendar of signatures', () => {
  let app: TestApp;
  let organization: OrganizationRef;
  let email: string;
  let password: string;
  beforeAll(async () => {
    app = await TestApp.start();
    await app.sql(
      `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET timezone = %L', current_database(), '${ZONE}'); END $$`,
    );
    const ann = await verifiedDeveloper(app);
    ({ email, password } = ann);
    organization = await ann.createsOrganization('Acme');
    await ann.changesPlan(organization, 'business');
  });
  afterAll(() => app.stop());

  /** With a new session, because tests let months pass. */
  const ann = (): Promise<Developer> => Developer.logIn(app.url, email, password);
  const run = (on = app): Promise<void> => on.nest.get(OrganizationSchedules).runAll(on.systemContext, SCHEDULE);
  const daysPass = async (days: number): Promise<void> => {
    await app.clock.advance({ days });
    await run();
  };
  /** In whole seconds, as in profiles. */
  const inDays = (days: number): Date => {
    const time = app.clock.now().getTime() + days * DAY_MS + 6 * HOUR_MS;
    return new Date(time - (time % 1_000));
  };
  const announced = (project: ProjectRef): Promise<Announced[]> =>
    app.sql(
      `SELECT type, actor_kind, payload FROM audit_event WHERE project_id = $1 AND type LIKE 'build.signing%' ORDER BY position`,
      [project.id],
    );
  const daysLeft = async (project: ProjectRef): Promise<unknown[]> =>
    (await announced(project)).map(({ payload }) => payload['days_left']);
  const versions = async (project: ProjectRef): Promise<unknown[]> =>
    (await announced(project)).map(({ payload }) => payload['version']).sort();
  const mailsTo = async (to: string, project: string) =>
    (await app.mailbox.all(to)).filter(({ subject }) => subject?.startsWith(`${project}: `));

  interface Place {
    readonly project: ProjectRef;
    readonly ci: Bearer;
    readonly uploads: (version: string, expiresAt: Date) => Promise<BuildJson>;
  }

  /** A project whose calendar has begun: with a build whose profile expires much later. */
  const place = async (name?: string): Promise<Place> => {
    const developer = await ann();
    const project = await developer.createsProject(organization, name);
    const ci = app.ci(await developer.createsToken(project, 'MANAGE_PROJECT'));
    const uploads = (version: string, expiresAt: Date): Promise<BuildJson> =>
      ci.uploads(project, {
        bytes: ipa({ expiresAt, info: { CFBundleShortVersionString: version } }),
        fileName: 'Demo.ipa',
      });
    await uploads('0.1', inDays(2_000));
    await run();
    return { project, ci, uploads };
  };

  it('announces an end once at 60, 30, 15, 7 and 1 days, and when it has come', async () => {
    const { project, uploads } = await place();
    const expiresAt = inDays(64);
    const build = await uploads('1.0', expiresAt);
    for (let day = 0; day < 70; day += 1) await daysPass(1);
    expect(await daysLeft(project)).toEqual([60, 30, 15, 7, 1, 0]);
    const [first, ...others] = await announced(project);
    expect(first).toEqual({
      type: 'build.signing_expires',
      actor_kind: 'system',
      payload: {
        build_id: build.id,
        platform: 'ios',
        version: '1.0',
        build_number: '42',
        what: 'profile',
        expires_at: expiresAt.toISOString(),
        days_left: 60,
      },
    });
    expect(others.at(-1)?.type).toBe('build.signing_expired');
  });

  // red when: each number of days that was missed is announced, or the calendar begins anew after a pause
  it('announces an end once after days without a run, with the days that are left then', async () => {
    const { project, uploads } = await place();
    await uploads('1.0', inDays(61));
    await daysPass(50);
    expect(await daysLeft(project)).toEqual([12]);
    await daysPass(30);
    expect(await daysLeft(project)).toEqual([12, 0]);
  });

  it('announces nothing twice when workers run at the same time, and mails each manager once', async () => {
    const { project, uploads } = await place('Rocket');
    await uploads('1.0', inDays(8));
    await uploads('1.1', inDays(8));
    await app.clock.advance({ days: 2 });
    const beside = await TestApp.start({ beside: app, worker: false });
    const runs = [app, beside, app, beside].map((on) => run(on));
    await Promise.all(runs);
    await beside.stop();
    await run();
    expect(await versions(project)).toEqual(['1.0', '1.1']);
    await until(async () => (await mailsTo(email, 'Rocket')).length > 0);
    await until(
      async () => (await app.sql(`SELECT FROM graphile_worker.jobs WHERE task_identifier = 'mail.send'`)).length === 0,
    );
    expect((await mailsTo(email, 'Rocket')).map(({ subject }) => subject)).toEqual([
      'Rocket: the signing of 2 builds expires in 7 days',
    ]);
  });

  describe('announces a build', () => {
    const shown = async (change: (place: Place, build: BuildJson) => Promise<unknown>): Promise<unknown[]> => {
      const here = await place();
      const build = await here.uploads('1.0', inDays(200));
      await daysPass(192);
      await app.sql(`UPDATE signing_calendar SET announced_until = $2 WHERE project_id = $1`, [
        here.project.id,
        app.clock.now(),
      ]);
      await change(here, build);
      await daysPass(2);
      return daysLeft(here.project);
    };
    const openedLink = async ({ ci, project }: Place, build: BuildJson, daysAgo: number): Promise<void> => {
      const { body } = await ci.post(`/testers?${scope(project)}`, { email: 'tess@example.com' }).expect(201);
      await app.sql(
        `INSERT INTO invite (id, organization_id, project_id, build_id, tester_id, digest, created_at, last_opened_at)
         SELECT gen_random_uuid(), $1, $2, $3, $4, sha256(uuid_send(gen_random_uuid())), app_now() - interval '1 year',
           app_now() - $5::int * interval '1 day'`,
        [organization.id, project.id, build.id, (body as { id: string }).id, daysAgo],
      );
    };

    it('that is current in a channel', async () => {
      const promotes = async ({ ci, project }: Place, build: BuildJson): Promise<unknown> =>
        ci.promotes(project, await ci.createsChannel(project), build);
      expect(await shown(promotes)).toEqual([7]);
    });

    it('whose link was replaced recently', async () => {
      const rotates = ({ ci, project }: Place, build: BuildJson): Promise<unknown> =>
        ci.post(`/builds/${build.id}/rotate-link?${scope(project)}`).expect(200);
      expect(await shown(rotates)).toEqual([7]);
    });

    it('whose link a tester opened recently', async () => {
      expect(await shown((here, build) => openedLink(here, build, 80))).toEqual([7]);
    });

    // red when: all builds are announced
    it('not when only old links show it', async () => {
      expect(await shown((here, build) => openedLink(here, build, 95))).toEqual([]);
    });

    it('not when another build took its place in the channel', async () => {
      const replaces = async ({ ci, project, uploads }: Place, build: BuildJson): Promise<void> => {
        const channel = await ci.createsChannel(project);
        await ci.promotes(project, channel, build);
        await ci.promotes(project, channel, await uploads('2.0', inDays(365)));
      };
      expect(await shown(replaces)).toEqual([]);
    });

    it('not when it was deleted', async () => {
      const { project, ci, uploads } = await place();
      const build = await uploads('1.0', inDays(8));
      await ci.request('delete', `/builds/${build.id}?${scope(project)}`).expect(204);
      await daysPass(2);
      expect(await daysLeft(project)).toEqual([]);
    });
  });

  describe('the mail', () => {
    const managerOf = async (project: ProjectRef, role: string, roles = '{MEMBER}'): Promise<Developer> => {
      const developer = await verifiedDeveloper(app);
      await app.sql(`INSERT INTO membership VALUES ($1, $2, $3, app_now())`, [organization.id, developer.id, roles]);
      await app.sql(
        `INSERT INTO project_membership (organization_id, project_id, developer_id, role) VALUES ($1, $2, $3, $4)`,
        [organization.id, project.id, developer.id, role],
      );
      return developer;
    };

    it('goes to the managers of the project, in their language, and names build, channel and what to do', async () => {
      const { project, ci, uploads } = await place('Harbour');
      const manager = await managerOf(project, 'MANAGE_PROJECT');
      const releaser = await managerOf(project, 'MANAGE_RELEASES');
      const both = await managerOf(project, 'MANAGE_PROJECT', '{MANAGER}');
      await manager.patch('/developers/me', { language: 'de' }).expect(200);
      const build = await uploads('1.0', inDays(8));
      await ci.promotes(project, await ci.createsChannel(project, 'Beta'), build);
      await daysPass(2);
      const { subject, text } = await app.mailbox.latest(manager.email, 2);
      expect(subject).toBe('Harbour: Die Signatur von 1 Build läuft in 7 Tagen ab');
      expect(text).toContain('1.0 (42): Provisioning-Profil läuft am');
      expect(text).toContain('In Beta');
      expect(text).toContain(`/o/${organization.id}/p/${project.id}/builds/${build.id}`);
      expect((await app.mailbox.latest(both.email, 2)).subject).toBe(
        'Harbour: the signing of 1 build expires in 7 days',
      );
      expect(await mailsTo(both.email, 'Harbour')).toHaveLength(1);
      await until(async () => (await mailsTo(email, 'Harbour')).length === 1);
      expect(await mailsTo(releaser.email, 'Harbour')).toEqual([]);
    });

    it('is not sent when the project has switched it off, and the event is recorded', async () => {
      const { project, uploads } = await place('Quiet');
      const path = `/projects/${project.id}?organization_id=${organization.id}`;
      const owner = await ann();
      expect((await owner.get(path).expect(200)).body).toMatchObject({ signing_expiry_mails: true });
      const { body } = await owner.patch(path, { signing_expiry_mails: false }).expect(200);
      expect(body).toMatchObject({ name: 'Quiet', signing_expiry_mails: false });
      await uploads('1.0', inDays(8));
      await daysPass(2);
      expect(await daysLeft(project)).toEqual([7]);
      const queued = await app.sql(`SELECT FROM graphile_worker.jobs WHERE task_identifier = 'mail.send'`);
      expect([queued.length, await mailsTo(email, 'Quiet')]).toEqual([0, []]);
    });

    // red when: the number of builds of links is not limited, or the mail lists them all
    it('names 20 builds, those of channels first, and the number of the others; of links, 100 are announced', async () => {
      const { project, ci, uploads } = await place('Busy');
      const build = await uploads('1.0', inDays(8));
      await ci.promotes(project, await ci.createsChannel(project, 'Beta'), build);
      const copied = `WITH copies AS (
          INSERT INTO build SELECT copy.* FROM build b, generate_series(1, 120) n, jsonb_populate_record(NULL::build, to_jsonb(b)
            || jsonb_build_object('id', uuidv7(), 'version', '2.' || n, 'blob_key', gen_random_uuid())) AS copy WHERE b.id = $1
          RETURNING id)
        INSERT INTO invite SELECT copy.* FROM invite i, copies c, jsonb_populate_record(NULL::invite, to_jsonb(i)
          || jsonb_build_object('id', gen_random_uuid(), 'build_id', c.id, 'digest', sha256(uuid_send(c.id)))) AS copy WHERE i.build_id = $1`;
      await app.sql(copied, [build.id]);
      await daysPass(2);
      expect(await daysLeft(project)).toHaveLength(101);
      await until(async () => (await mailsTo(email, 'Busy')).length === 1);
      const [{ subject = '', text = '' } = {}] = await mailsTo(email, 'Busy');
      expect(subject).toBe('Busy: the signing of 101 builds expires in 7 days');
      const named = text.match(/^- .*/gm) ?? [];
      expect(named).toHaveLength(20);
      expect(named[0]).toContain('1.0 (42)');
      expect(text).toContain('And 81 more builds.');
      await app.sql(`DELETE FROM build WHERE project_id = $1 AND version LIKE '2.%'`, [project.id]);
    });
  });

  it('is what the summary of a project shows: the same builds, times and days', async () => {
    const { project, ci, uploads } = await place();
    const old = await uploads('1.0', inDays(100));
    await ci.promotes(project, await ci.createsChannel(project, 'Beta'), old);
    await daysPass(95);
    const newest = await uploads('2.0', inDays(30));
    await daysPass(1);
    const path = `/projects/${project.id}/summary?organization_id=${organization.id}`;
    const ends = async (): Promise<unknown> =>
      ((await ci.get(path).expect(200)).body as { signing_ends: unknown }).signing_ends;
    const expected = (build: BuildJson, days: number) =>
      expect.objectContaining({ build_id: build.id, platform: 'ios', what: 'profile', days_left: days }) as unknown;
    expect(await ends()).toEqual([expected(old, 5), expected(newest, 30)]);
    expect((await announced(project)).at(-1)?.payload).toMatchObject({ version: '2.0', days_left: 30 });
    await app.sql(`UPDATE invite SET created_at = app_now() - interval '91 days' WHERE build_id = $1`, [newest.id]);
    expect(await ends()).toEqual([expected(old, 5)]);
  });
});
