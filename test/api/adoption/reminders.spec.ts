import { randomUUID } from 'node:crypto';
import { newId } from '#kernel/ids';
import { type BuildJson, type ChannelJson, type Developer, randomEmail, scope } from '../../support/actors/actors';
import { createTenant, type Tenant } from '../../support/actors/tenant';
import { TestApp } from '../../support/app/test-app';
import { apk, ipa } from '../../support/artifacts/valid-artifacts';

interface TesterJson {
  readonly id: string;
  readonly email: string;
}

interface RemindersJson {
  readonly queued: number;
  readonly skipped: readonly { readonly tester_id: string; readonly reason: string }[];
}

describe('reminders of a release', () => {
  let app: TestApp;
  let tenant: Tenant;
  let ann: Developer;
  let query: string;
  let builds = 0;

  beforeAll(async () => {
    app = await TestApp.start();
    tenant = await createTenant(app);
    ann = tenant.admin;
    query = scope(tenant.project);
  });
  afterAll(() => app.stop());

  const adds = async (channel?: ChannelJson): Promise<TesterJson> => {
    const { body } = await ann.post(`/testers?${query}`, { email: randomEmail(), name: 'Tess' }).expect(201);
    const tester = body as TesterJson;
    if (channel) await ann.request('put', `/testers/${tester.id}/subscriptions/${channel.id}?${query}`).expect(200);
    return tester;
  };
  const uploads = (platform: 'ios' | 'android' = 'ios'): Promise<BuildJson> => {
    builds += 1;
    const bytes =
      platform === 'ios' ? ipa({ info: { CFBundleVersion: String(builds) } }) : apk({ versionCode: builds });
    return ann.uploads(tenant.project, { bytes, fileName: platform === 'ios' ? 'a.ipa' : 'a.apk' });
  };
  /** A channel with a current release that was mailed to two subscribers. */
  const released = async () => {
    const channel = await ann.createsChannel(tenant.project);
    const [tess, bob] = [await adds(channel), await adds(channel)];
    const build = await uploads();
    const release = await ann.promotes(tenant.project, channel, build);
    await app.mailsReleases();
    return { channel, tess, bob, build, release };
  };
  const remind = (releaseId: string, body: object = {}) => ann.post(`/releases/${releaseId}/reminders?${query}`, body);
  const reminds = async (releaseId: string, body: object = {}): Promise<RemindersJson> =>
    (await remind(releaseId, body).expect(202)).body as RemindersJson;
  const mailsRun = () => app.runsJob('release.send-waiting');
  const mailsTo = async ({ email }: TesterJson) => app.mailbox.all(email);
  const downloads = ({ id }: TesterJson, build: BuildJson) =>
    app.sql(
      `INSERT INTO build_download (id, organization_id, project_id, tester_id, build_id, ticket_id, minted_by_kind, device_family, started_at)
       VALUES ($5, $1, $2, $3, $4, gen_random_uuid(), 'invite', 'iphone', now())`,
      [tenant.organization.id, tenant.project.id, id, build.id, newId()],
    );

  // red when: testers who have the build are mailed, the mail does not say that it is a reminder, or no event is recorded
  it('mail the testers who do not have the build, once in 24 hours', async () => {
    const { tess, bob, build, release, channel } = await released();
    await downloads(bob, build);
    expect(await reminds(release.id)).toEqual({ queued: 1, skipped: [] });
    await mailsRun();
    const [first, second, ...others] = await mailsTo(tess);
    expect([others, (await mailsTo(bob)).length]).toEqual([[], 1]);
    expect(first!.subject).not.toContain('Reminder');
    expect(second!.subject).toBe(`Reminder: ${first!.subject}`);
    // red when: a reminder has the title and the text of a new version
    expect(second!.html).toContain('Reminder: please test ');
    for (const text of [second!.text, second!.html]) {
      expect(text).toContain('asked you to test a new version, and you do not have it yet.');
      expect(text).not.toContain('A new version of ');
    }
    expect(first!.text).not.toContain('Reminder');
    const again = { queued: 0, skipped: [{ tester_id: tess.id, reason: 'reminded_recently' }] };
    expect(await reminds(release.id)).toEqual(again);
    await app.sql(`UPDATE release_mail SET reminded_at = reminded_at - interval '24 hours' WHERE release_id = $1`, [
      release.id,
    ]);
    expect(await reminds(release.id, { tester_ids: [tess.id] })).toEqual({ queued: 1, skipped: [] });
    const events = await app.sql<{ payload: object }>(
      `SELECT payload FROM audit_event WHERE type = 'release.reminded' AND payload->>'release_id' = $1`,
      [release.id],
    );
    const facts = {
      release_id: release.id,
      channel_id: channel.id,
      build_id: build.id,
      platform: 'ios',
      sequence: 1,
      queued: 1,
    };
    expect(events.map(({ payload }) => payload)).toEqual([facts, facts]);
    const path = `/projects/${tenant.project.id}/adoption?organization_id=${tenant.organization.id}`;
    const { body } = await ann.get(path).expect(200);
    const items = (body as { items: { release_id: string; reminded_at: string | null }[] }).items;
    expect(items.find(({ release_id: id }) => id === release.id)?.reminded_at).toMatch(/Z$/);
  });

  // red when: the row of the mail is not locked, so that both requests queue a mail
  it('are queued once by simultaneous requests', async () => {
    const { tess, bob, release } = await released();
    const bodies = [{}, { tester_ids: [tess.id, bob.id] }, {}, { tester_ids: [bob.id, tess.id] }];
    const outcomes = await Promise.all(bodies.map((body) => reminds(release.id, body)));
    expect(outcomes.reduce((sum, { queued }) => sum + queued, 0)).toBe(2);
    await Promise.all([mailsRun(), mailsRun()]);
    expect([(await mailsTo(tess)).length, (await mailsTo(bob)).length]).toEqual([2, 2]);
  });

  it('say why they skip a tester', async () => {
    const { tess, bob, build, release, channel } = await released();
    const [gone, bounced, other, lazy] = [await adds(channel), await adds(channel), await adds(), await adds(channel)];
    await downloads(bob, build);
    await app.sql(`UPDATE tester SET bounced_at = now(), bounce_code = '5.1.1' WHERE id = $1`, [bounced.id]);
    await app.sql(`UPDATE tester SET unopened_mails = 3 WHERE id = $1`, [lazy.id]);
    await ann.post(`/testers/${gone.id}/invite?${query}&channel_id=${channel.id}`).expect(204);
    const token = (await app.mailbox.link(gone.email)).pathname.split('/').at(-1)!;
    await app.anonymous.post(`/install/${token}/unsubscribe`).set('Accept', 'application/json').expect(204);
    const unknown = randomUUID();
    const named = [tess, bob, gone, bounced, other, lazy].map(({ id }) => id);
    expect(await reminds(release.id, { tester_ids: [...named, unknown] })).toEqual({
      queued: 1,
      skipped: [
        { tester_id: bob.id, reason: 'has_it' },
        { tester_id: gone.id, reason: 'left' },
        { tester_id: bounced.id, reason: 'bounced' },
        { tester_id: other.id, reason: 'not_in_audience' },
        { tester_id: lazy.id, reason: 'unopened' },
        { tester_id: unknown, reason: 'not_in_audience' },
      ],
    });
  });

  // red when: a tester who joined after the promotion is told that they were mailed before
  it('send the mail about the release to testers who did not get it', async () => {
    const { channel, release } = await released();
    const late = await adds(channel);
    expect(await reminds(release.id, { tester_ids: [late.id] })).toEqual({ queued: 1, skipped: [] });
    await mailsRun();
    const [mail, ...others] = await mailsTo(late);
    expect(others).toEqual([]);
    expect(mail!.subject).not.toContain('Reminder');
  });

  // red when: a build of another channel is not compared, or the reminder that waits is sent nevertheless
  it('are not sent to testers who have a newer build, also of another channel', async () => {
    const { tess, bob, build, release } = await released();
    const nightly = await uploads();
    await ann.promotes(tenant.project, await ann.createsChannel(tenant.project), nightly);
    await downloads(bob, build);
    await downloads(bob, nightly);
    expect(await reminds(release.id, { tester_ids: [bob.id] })).toEqual({
      queued: 0,
      skipped: [{ tester_id: bob.id, reason: 'has_newer' }],
    });
    expect(await reminds(release.id)).toEqual({ queued: 1, skipped: [] });
    await downloads(tess, nightly);
    await mailsRun();
    expect([(await mailsTo(tess)).length, (await mailsTo(bob)).length]).toEqual([1, 1]);
  });

  // red when: a reminder that waits is sent although it is no longer true
  it('are dropped when the tester has the build by then, or another release is current', async () => {
    const { tess, bob, build, release, channel } = await released();
    await reminds(release.id);
    await downloads(tess, build);
    await mailsRun();
    expect([(await mailsTo(tess)).length, (await mailsTo(bob)).length]).toEqual([1, 2]);
    await app.sql(`UPDATE release_mail SET reminded_at = NULL WHERE release_id = $1`, [release.id]);
    expect(await reminds(release.id)).toMatchObject({ queued: 1 });
    await ann
      .post(`/releases?${query}&channel_id=${channel.id}`, { build_id: (await uploads()).id, notify: false })
      .expect(201);
    await mailsRun();
    expect((await mailsTo(bob)).length).toBe(2);
    const waiting = await app.sql('SELECT FROM release_mail WHERE reminder_due_at IS NOT NULL');
    expect(waiting).toEqual([]);
  });

  // red when: reminders are not counted by the limits of mails about releases
  it('wait above the limit of mails about a channel', async () => {
    const { tess, bob, release } = await released();
    await app.sql(`UPDATE subscription SET recent_mails = array_fill($2::timestamptz, ARRAY[6]) WHERE tester_id = $1`, [
      tess.id,
      app.clock.now(),
    ]);
    expect(await reminds(release.id)).toMatchObject({ queued: 2 });
    await mailsRun();
    expect([(await mailsTo(tess)).length, (await mailsTo(bob)).length]).toEqual([1, 2]);
    await app.sql(`UPDATE subscription SET recent_mails = '{}' WHERE tester_id = $1`, [tess.id]);
    await app.sql(`UPDATE release_mail SET reminder_due_at = $2 WHERE tester_id = $1`, [tess.id, app.clock.now()]);
    await mailsRun();
    expect((await mailsTo(tess)).length).toBe(2);
  });

  it('share a mail of several platforms', async () => {
    const { channel, tess, release } = await released();
    const android = await ann.promotes(tenant.project, channel, await uploads('android'));
    await app.mailsReleases();
    await reminds(release.id, { tester_ids: [tess.id] });
    await reminds(android.id, { tester_ids: [tess.id] });
    await mailsRun();
    const mails = await mailsTo(tess);
    expect(mails).toHaveLength(3);
    expect(mails[2]!.subject).toMatch(/^Reminder: .* for iOS and .* for Android are ready: /);
  });

  it('are rejected for a release that is not current, unknown or of another tenant', async () => {
    const { release, channel } = await released();
    await ann.promotes(tenant.project, channel, await uploads());
    expect((await remind(release.id).expect(409)).body).toMatchObject({
      error: 'operation_not_allowed',
      details: { reason: 'not_current' },
    });
    await remind(randomUUID()).expect(404);
    const other = await createTenant(app);
    await remind(other.release.id).expect(404);
    expect(await reminds(tenant.release.id, { tester_ids: [other.testerId] })).toMatchObject({
      queued: 0,
      skipped: [{ tester_id: other.testerId, reason: 'not_in_audience' }],
    });
    const viewer = app.ci(await ann.createsToken(tenant.project, 'UPLOAD_BUILD'));
    await viewer.post(`/releases/${tenant.release.id}/reminders?${query}`, {}).expect(403);
    await remind(tenant.release.id, { tester_ids: [] }).expect(400);
  });
});
