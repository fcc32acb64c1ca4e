import { type ProjectCredential, randomEmail, scope } from '../../support/actors/actors';
import { createTenant, type Tenant } from '../../support/actors/tenant';
import { TestApp } from '../../support/app/test-app';
import { apk } from '../../support/artifacts/valid-artifacts';

interface TesterJson {
  readonly id: string;
  readonly email: string;
}

/** The limit of the organizations in this file. The trial's limit is higher and has a test of its own below. */
const MAILS_PER_DAY = 20;

describe('the limits of mails to testers', () => {
  let app: TestApp;
  let tenant: Tenant;
  /** A credential that does not expire when the clock moves. */
  let ci: ProjectCredential;
  let query: string;

  beforeAll(async () => {
    app = await TestApp.start({ environment: { MAX_MAILS_PER_ORGANIZATION_PER_DAY: String(MAILS_PER_DAY) } });
    await usesTenant();
  });
  afterAll(() => app.stop());

  const usesTenant = async (): Promise<void> => {
    tenant = await createTenant(app);
    ci = app.ci(tenant.projectToken.token);
    query = scope(tenant.project);
    await app.sql('DELETE FROM subscription');
  };
  const imports = async (count: number, channelId: string): Promise<TesterJson[]> => {
    const testers = Array.from({ length: count }, () => ({ email: randomEmail() }));
    const { body } = await ci.post(`/testers/batch?${query}&channel_id=${channelId}`, { testers }).expect(200);
    return (body as { testers: TesterJson[] }).testers;
  };
  const uploads = async (): Promise<string> =>
    (await ci.uploads(tenant.project, { bytes: apk(), fileName: 'a.apk' })).id;
  const promotes = (channelId: string, buildId: string) =>
    ci.post(`/releases?${query}&channel_id=${channelId}`, { build_id: buildId }).expect(201);
  const mails = async ({ email }: { email: string }): Promise<number> => (await app.mailbox.all(email)).length;
  const counts = async (testers: readonly TesterJson[]): Promise<number[]> => {
    const to = (await app.mailbox.all()).map((mail) => mail.to?.[0]?.address);
    return testers.map(({ email }) => to.filter((address) => address === email).length);
  };
  const total = async (testers: readonly TesterJson[]): Promise<number> =>
    (await counts(testers)).reduce((sum, count) => sum + count, 0);
  const opens = async ({ email }: TesterJson): Promise<void> => {
    const { pathname } = await app.mailbox.link(email);
    await app.anonymous.get(pathname).set('Accept', 'text/html').expect(200);
  };
  /** Promotes two builds in turn, one promotion in a minute, `times` times. */
  const toggles = async (channelId: string, builds: readonly string[], times: number): Promise<void> => {
    for (let turn = 0; turn < times; turn++) {
      await promotes(channelId, builds[turn % 2]!);
      await app.clock.advance({ seconds: 61 });
      await app.mailsReleases();
    }
  };

  // red when: a limit is not looked at, or counts releases, which an attacker withdraws
  it('stop an attacker who toggles two builds 25 times: three mails to strangers, six an hour to testers', async () => {
    const { id: channelId } = await ci.createsChannel(tenant.project);
    const builds = [await uploads(), await uploads()];
    const [stranger, tester] = (await imports(2, channelId)) as [TesterJson, TesterJson];
    await toggles(channelId, builds, 1);
    await opens(tester);
    await toggles(channelId, [builds[1]!, builds[0]!], 24);
    expect([await mails(stranger), await mails(tester)]).toEqual([3, 6]);
    // Nothing is lost: the tester gets the current release when the hour has room again.
    await app.clock.advance({ minutes: 61 });
    await app.mailsReleases();
    expect([await mails(stranger), await mails(tester)]).toEqual([3, 7]);
    await app.mailsReleases();
    expect(await mails(tester)).toBe(7);
  });

  it('reject a fourth invitation of a tester who opened no link, and accept it after they opened one', async () => {
    const { body } = await ci.post(`/testers?${query}`, { email: randomEmail() }).expect(201);
    const tester = body as TesterJson;
    const invites = () => ci.post(`/testers/${tester.id}/invite?${query}`);
    for (let sent = 0; sent < 3; sent++) await invites().expect(204);
    expect((await invites().expect(400)).body).toMatchObject({
      error: 'operation_not_allowed',
      details: { reason: 'unopened' },
    });
    await app.mailbox.latest(tester.email, 3);
    const { pathname } = await app.mailbox.link(tester.email);
    await app.anonymous.head(pathname);
    await invites().expect(400);
    await opens(tester);
    await invites().expect(204);
  });

  describe('per organization and day', () => {
    let channelId: string;
    let testers: TesterJson[];
    const told = async ({ email }: { email: string }): Promise<number> =>
      (await app.mailbox.all(email)).filter(({ subject }) => subject?.includes('wait')).length;

    beforeAll(async () => {
      // An hour after midnight, so that the tests below stay within the day.
      await app.clock.advance({ hours: 25 - app.clock.now().getUTCHours() });
      await usesTenant();
      await app.sql(`UPDATE membership SET roles = '{MANAGER}' WHERE developer_id = $1`, [tenant.member.id]);
      ({ id: channelId } = await ci.createsChannel(tenant.project));
      testers = await imports(MAILS_PER_DAY + 5, channelId);
      await promotes(channelId, await uploads());
      await app.mailsReleases();
    });

    // red when: the count of the day is not locked, or the mails above the limit are dropped
    it('delay mails above the limit, and mail ADMINs and MANAGERs once', async () => {
      expect(await total(testers)).toBe(MAILS_PER_DAY);
      await app.clock.advance({ minutes: 61 });
      await app.mailsReleases();
      expect(await total(testers)).toBe(MAILS_PER_DAY);
      expect([await told(tenant.admin), await told(tenant.member)]).toEqual([1, 1]);
    });

    it('delay an invitation until the next day with room', async () => {
      const { body } = await ci.post(`/testers?${query}`, { email: randomEmail() }).expect(201);
      await ci.post(`/testers/${(body as TesterJson).id}/invite?${query}`).expect(204);
      expect(await mails(body as TesterJson)).toBe(0);
      const [job] = await app.sql<{ run_at: Date }>(
        `SELECT run_at FROM graphile_worker.jobs WHERE task_identifier = 'mail.send' ORDER BY run_at DESC`,
      );
      const midnight = new Date(app.clock.now().toISOString().slice(0, 10)).getTime() + 86_400_000;
      expect(job!.run_at.getTime()).toBe(midnight);
    });

    it('send each waiting mail once on the next day', async () => {
      await app.clock.advance({ days: 1 });
      await Promise.all([app.runsJob('release.send-waiting'), app.runsJob('release.send-waiting')]);
      expect(await counts(testers)).toEqual(testers.map(() => 1));
    });

    // red when: suppressions are not read again before a mail is sent
    it('do not send a delayed invitation to a tester who has left since', async () => {
      await app.sql('UPDATE tester_mail_day SET mails = $1', [MAILS_PER_DAY]);
      const some = testers.slice(0, 4);
      const [declines, unsubscribes, leavesOther] = some as [TesterJson, TesterJson, TesterJson];
      const { id: other } = await ci.createsChannel(tenant.project);
      const links = await Promise.all(some.map(async ({ email }) => (await app.mailbox.link(email)).pathname));
      for (const tester of some)
        await ci
          .post(`/testers/${tester.id}/invite?${query}&channel_id=${tester === leavesOther ? other : channelId}`)
          .expect(204);
      for (const [tester, action] of [
        [declines, 'decline'],
        [unsubscribes, 'unsubscribe'],
        [leavesOther, 'unsubscribe'],
      ] as const) {
        const link = links[some.indexOf(tester)]!;
        await app.anonymous.post(`${link}/${action}`).set('Accept', 'application/json').expect(204);
      }
      await app.sql(
        `UPDATE graphile_worker._private_jobs SET run_at = now()
         WHERE task_id = (SELECT id FROM graphile_worker._private_tasks WHERE identifier = 'mail.send')`,
      );
      await app.runsJob('release.send-waiting');
      expect(await counts(some)).toEqual([1, 1, 2, 2]);
    });
  });
});

describe('the limit of mails while only trial credit pays', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await TestApp.start();
  });
  afterAll(() => app.stop());

  it('is 200 a day, until a top-up or grant', async () => {
    const { admin, organization, project, channel, testerId } = await createTenant(app);
    const [{ email }] = (await app.sql<{ email: string }>('SELECT email FROM tester WHERE id = $1', [testerId])) as [
      { email: string },
    ];
    await app.sql(
      `INSERT INTO tester_mail_day (organization_id, day, mails) VALUES ($1, (app_now() AT TIME ZONE 'UTC')::date, 200)`,
      [organization.id],
    );
    await admin.promotes(project, channel, await admin.uploads(project, { bytes: apk(), fileName: 'a.apk' }));
    await app.mailsReleases();
    expect(await app.mailbox.all(email)).toEqual([]);
    await app.sql(
      `INSERT INTO ledger_entry (id, organization_id, kind, amount_micro_usd, period, reference, created_at)
       SELECT gen_random_uuid(), organization_id, 'grant', 1, open_period, 'test', app_now() FROM billing_account WHERE organization_id = $1`,
      [organization.id],
    );
    await app.sql(`UPDATE billing_account SET balance_micro_usd = balance_micro_usd + 1 WHERE organization_id = $1`, [
      organization.id,
    ]);
    await app.sql(`UPDATE release_mail SET due_at = now() WHERE queued_at IS NULL`);
    await app.mailsReleases();
    expect(await app.mailbox.all(email)).toHaveLength(1);
  });
});
