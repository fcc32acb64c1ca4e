import { Jobs } from '../../../src/infra/jobs/jobs';
import { ReleaseMailingService } from '../../../src/modules/releases/announcements/release-mailing.service';
import { ReleaseMailsRepository } from '../../../src/modules/releases/announcements/release-mails.repository';
import { ReleasesRepository } from '../../../src/modules/releases/releases.repository';
import { InstallMailsService } from '../../../src/modules/testers';
import { type Developer, randomEmail, scope } from '../../support/actors/actors';
import { createTenant, type Tenant } from '../../support/actors/tenant';
import { TestApp } from '../../support/app/test-app';
import { apk, ipa } from '../../support/artifacts/valid-artifacts';
import { until } from '../../support/until';

interface TesterJson {
  readonly id: string;
  readonly email: string;
}

/** Recipients and content of the mails. release-mails.spec.ts of the slow tests covers crashes of the worker. */
describe('the mails about a release', () => {
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

  const createsChannel = async (): Promise<string> => (await ann.createsChannel(tenant.project)).id;
  const subscribes = async (channelId: string): Promise<TesterJson> => {
    const { body } = await ann.post(`/testers?${query}`, { email: randomEmail(), name: 'Tess' }).expect(201);
    const tester = body as TesterJson;
    await ann.request('put', `/testers/${tester.id}/subscriptions/${channelId}?${query}`).expect(200);
    return tester;
  };
  const uploads = async (platform: 'ios' | 'android' = 'android'): Promise<string> => {
    const file =
      platform === 'ios'
        ? { bytes: ipa({ info: { CFBundleVersion: String(++builds) } }), fileName: 'a.ipa' }
        : { bytes: apk(), fileName: 'a.apk' };
    return (await ann.uploads(tenant.project, file, { notes: 'Notes of the build' })).id;
  };
  const promotes = async (channelId: string, buildId: string, notes?: string): Promise<string> => {
    const path = `/releases?${query}&channel_id=${channelId}`;
    const { body } = await ann.post(path, { build_id: buildId, ...(notes && { notes }) }).expect(201);
    return (body as { id: string }).id;
  };
  const jobsRun = () => app.mailsReleases();
  /** The token of a link of a new mail. */
  const linkOf = async ({ id, email }: TesterJson): Promise<string> => {
    const { length } = await app.mailbox.all(email);
    await ann.post(`/testers/${id}/invite?${query}`).expect(204);
    return (await app.mailbox.link(email, length + 1)).pathname.split('/').at(-1)!;
  };
  const mailsTo = async ({ email }: TesterJson) => app.mailbox.all(email);

  it('contain the notes of the promotion, a personal link and a one-click unsubscribe header', async () => {
    const channelId = await createsChannel();
    const [tess, bob] = [await subscribes(channelId), await subscribes(channelId)];
    await promotes(channelId, await uploads(), 'Try <b>this</b>');
    await jobsRun();
    const mails = [...(await mailsTo(tess)), ...(await mailsTo(bob))];
    expect(mails).toHaveLength(2);
    const links = mails.map(({ text }) => /\/install\/[\w-]{43}(?=\s)/.exec(text!)![0]);
    expect(new Set(links).size).toBe(2);
    expect(mails[0]!.html).toContain('Try &lt;b&gt;this&lt;/b&gt;');
    expect(mails[0]!.attachments).toHaveLength(1);
    const header = (name: string) => mails[0]!.headers.find(({ key }) => key === name)?.value;
    expect(header('list-unsubscribe')).toBe(`<http://localhost:3000${links[0]}/unsubscribe>`);
    await app.anonymous.post(`${links[0]}/unsubscribe`).type('form').send('List-Unsubscribe=One-Click').expect(200);
    await promotes(channelId, await uploads());
    await jobsRun();
    expect([(await mailsTo(tess)).length, (await mailsTo(bob)).length]).toEqual([1, 2]);
  });

  // red when: the build is compared with the first one, or with one of another channel
  it('list the changes since the previous current build, in the language of the project', async () => {
    const channelId = await createsChannel();
    const tess = await subscribes(channelId);
    const promotesApk = async (options: Parameters<typeof apk>[0]): Promise<void> => {
      const file = { bytes: apk(options), fileName: 'a.apk' };
      await promotes(channelId, (await ann.uploads(tenant.project, file)).id);
      await jobsRun();
    };
    const permissions = ['android.permission.INTERNET', 'android.permission.CAMERA'];
    await promotesApk({ versionCode: 1, minSdk: 21, permissions: [] });
    // A tester who never opens a link gets three mails.
    await app.anonymous.get((await app.mailbox.link(tess.email, 1)).pathname).expect(200);
    await promotesApk({ versionCode: 2, minSdk: 21, permissions });
    await promotesApk({ versionCode: 3, minSdk: 26, permissions });
    await promotesApk({ versionCode: 4, minSdk: 26, permissions });
    await ann
      .patch(`/projects/${tenant.project.id}?organization_id=${tenant.organization.id}`, { language: 'de' })
      .expect(200);
    await promotesApk({ versionCode: 5, minSdk: 24, permissions });
    await ann
      .patch(`/projects/${tenant.project.id}?organization_id=${tenant.organization.id}`, { language: 'en' })
      .expect(200);
    const mails = await mailsTo(tess);
    const lines = mails.map(({ text }) => /^(Changed|Geändert) .*$/m.exec(text!)?.[0] ?? null);
    expect(lines).toEqual([
      null,
      'Changed since 1.2.3 (1): new permissions: CAMERA, INTERNET.',
      'Changed since 1.2.3 (2): needs Android 8.0 (before: 5.0).',
      null,
      'Geändert seit 1.2.3 (4): benötigt Android 7.0 (bisher: 8.0).',
    ]);
    expect(mails[1]!.html).toContain('new permissions: CAMERA, INTERNET.');
  });

  it('are counted in the release', async () => {
    const channelId = await createsChannel();
    await subscribes(channelId);
    await subscribes(channelId);
    const first = await promotes(channelId, await uploads());
    const list = `/releases?${query}&channel_id=${channelId}`;
    const counts = async (): Promise<unknown[]> => {
      const { body } = await ann.get(list).expect(200);
      return (body as { items: { mails: unknown }[] }).items.map(({ mails }) => mails);
    };
    expect(await counts()).toEqual([null]);
    await jobsRun();
    expect(await counts()).toEqual([{ queued: 2, waiting: 0, failed: 0 }]);
    await app.sql('UPDATE release_mail SET queued_at = NULL WHERE ctid IN (SELECT ctid FROM release_mail WHERE release_id = $1 LIMIT 1)', [first]); // prettier-ignore
    await promotes(channelId, await uploads());
    expect(await counts()).toEqual([null, { queued: 1, waiting: 1, failed: 0 }]);
    const { body } = await ann.get(`/releases/${first}?${query}&channel_id=${channelId}`).expect(200);
    expect(body).toMatchObject({ mails: { queued: 1, waiting: 1 } });
    await app.sql('DELETE FROM release_mail WHERE release_id = $1', [first]);
  });

  it('are sent once for each promotion, also when a build is promoted again', async () => {
    const channelId = await createsChannel();
    const tess = await subscribes(channelId);
    const [a, b] = [await uploads(), await uploads()];
    for (const build of [a, b, a]) {
      await promotes(channelId, build);
      await jobsRun();
    }
    expect(await mailsTo(tess)).toHaveLength(3);
    expect(await app.sql('SELECT FROM release_mail WHERE tester_id = $1', [tess.id])).toHaveLength(3);
  });

  // red when: a download of another platform, or an unknown one, keeps a subscriber from the mail
  it('are sent to every subscriber, whichever platforms they downloaded, unless they chose other platforms', async () => {
    const channelId = await createsChannel();
    const testers = await Promise.all([1, 2, 3, 4].map(() => subscribes(channelId)));
    const [all, downloaded, ios, both] = testers as [TesterJson, TesterJson, TesterJson, TesterJson];
    await app.sql(`UPDATE tester SET platforms = '{ios}' WHERE id = $1`, [downloaded.id]);
    const chooses = async (tester: TesterJson, ...platforms: string[]) =>
      app.anonymous
        .post(`/install/${await linkOf(tester)}/platforms`)
        .send({ platforms })
        .expect(204);
    await chooses(ios, 'ios');
    await chooses(both, 'ios', 'android');
    await promotes(channelId, await uploads('android'));
    await jobsRun();
    const mailed = await Promise.all(
      [all, downloaded, ios, both].map(async (tester) => (await mailsTo(tester)).length),
    );
    // The choice was made through an invitation.
    expect(mailed).toEqual([1, 1, 1, 2]);
  });

  it('are not sent for a release that was withdrawn or is no longer current', async () => {
    const channelId = await createsChannel();
    const tess = await subscribes(channelId);
    const job = async (releaseId: string) =>
      app.sql(`SELECT FROM graphile_worker.add_job('release.announce', $1::json)`, [
        JSON.stringify({
          request_id: 'test',
          data: {
            releaseId,
            scope: { organizationId: tenant.organization.id, projectId: tenant.project.id },
            after: null,
          },
        }),
      ]);
    const first = await promotes(channelId, await uploads());
    await jobsRun();
    const second = await promotes(channelId, await uploads());
    await jobsRun();
    await app.sql('DELETE FROM release_mail');
    // red when: the job does not check `current`
    await job(first);
    await jobsRun();
    expect(await mailsTo(tess)).toHaveLength(2);
    await ann.delete(`/releases/${second}?${query}&channel_id=${channelId}`).expect(204);
    await job(second);
    await jobsRun();
    expect(await mailsTo(tess)).toHaveLength(2);
  });

  const undoes = (channelId: string, releaseId: string) =>
    ann.post(`/releases/${releaseId}/undo?${query}&channel_id=${channelId}`);
  const versionsIn = async (tester: TesterJson): Promise<unknown[]> =>
    (await mailsTo(tester)).map(({ text }) => /Note [AB]/.exec(text!)?.[0]).filter((note) => note !== undefined);

  describe('that are queued and not sent yet', () => {
    /** Mails stay in the queue until `sendsHeld`, as those of a large release do. */
    const queues = async (): Promise<void> => {
      const jobs = app.nest.get(Jobs, { strict: false });
      const enqueueAll = jobs.enqueueAll.bind(jobs);
      const runAt = new Date(Date.now() + 86_400_000);
      const holding = jest
        .spyOn(jobs, 'enqueueAll')
        .mockImplementation((ctx, kind, payloads, options) => enqueueAll(ctx, kind, payloads, { ...options, runAt }));
      await jobsRun();
      holding.mockRestore();
    };
    const HELD = `task_id = (SELECT id FROM graphile_worker._private_tasks WHERE identifier = 'mail.send')`;
    const sendsHeld = async (): Promise<void> => {
      await app.sql(`UPDATE graphile_worker._private_jobs SET run_at = now() WHERE ${HELD}`);
      await app.runsJob('release.prune-mails');
    };
    /** Sends the only mail to a tester. */
    const sendsHeldTo = async (tester: TesterJson): Promise<void> => {
      await app.sql(
        `UPDATE graphile_worker._private_jobs SET run_at = now()
         WHERE ${HELD} AND payload -> 'data' -> 'recipient' ->> 'id' = $1`,
        [tester.id],
      );
      await until(async () => (await mailsTo(tester)).length === 1);
    };
    const promotesBoth = async (): Promise<{ channelId: string; tess: TesterJson; second: string }> => {
      const channelId = await createsChannel();
      const tess = await subscribes(channelId);
      await promotes(channelId, await uploads(), 'Note A');
      await queues();
      const second = await promotes(channelId, await uploads(), 'Note B');
      await sendsHeld();
      return { channelId, tess, second };
    };

    // red when: a queued mail does not ask for its release: testers get an outdated mail, and then the new one
    it('are dropped when another release replaces theirs', async () => {
      const { tess } = await promotesBoth();
      expect(await versionsIn(tess)).toEqual([]);
      await app.clock.advance({ seconds: 61 });
      await jobsRun();
      expect(await versionsIn(tess)).toEqual(['Note B']);
      expect(await app.sql('SELECT FROM release_mail WHERE tester_id = $1', [tess.id])).toHaveLength(1);
    });

    // red when: the mail is dropped instead of waiting: nothing tells the tester about the release that is current again
    it('are sent, once, when the release that replaced theirs is undone', async () => {
      const { channelId, tess, second } = await promotesBoth();
      await undoes(channelId, second).expect(200);
      await app.clock.advance({ seconds: 61 });
      await jobsRun();
      await jobsRun();
      expect(await versionsIn(tess)).toEqual(['Note A']);
    });

    // red when: the job does not know when its mail was queued: it sends the mail that another job sends, too
    it('are sent once when the job of a mail that waited again runs a second time', async () => {
      const channelId = await createsChannel();
      const tess = await subscribes(channelId);
      await promotes(channelId, await uploads(), 'Note A');
      await queues();
      const [held] = await app.sql<{ payload: object }>(
        `SELECT payload FROM graphile_worker._private_jobs WHERE ${HELD} AND payload -> 'data' -> 'recipient' ->> 'id' = $1`,
        [tess.id],
      );
      const second = await promotes(channelId, await uploads(), 'Note B');
      await sendsHeld();
      await undoes(channelId, second).expect(200);
      await app.clock.advance({ seconds: 61 });
      await jobsRun();
      await app.sql(`SELECT FROM graphile_worker.add_job('mail.send', $1::json)`, [JSON.stringify(held!.payload)]);
      await app.runsJob('release.prune-mails');
      expect(await versionsIn(tess)).toEqual(['Note A']);
    });

    // red when: the queue has the rendered mails, or all of the release: thousands of mails fill it
    it('take one kilobyte each in the queue', async () => {
      const channelId = await createsChannel();
      await subscribes(channelId);
      await promotes(channelId, await uploads(), `Note A ${'of a long list of changes '.repeat(100)}`);
      await queues();
      const [held] = await app.sql<{ bytes: number }>(
        `SELECT max(length(payload::text)) AS bytes FROM graphile_worker._private_jobs WHERE ${HELD}`,
      );
      expect(held!.bytes).toBeLessThan(1500);
      await sendsHeld();
    });

    // red when: what is read for one mail is read for each, or is shown longer than a minute, or in mails of other channels
    it('name the channel as it was called when they were sent, or a minute earlier, and read it once', async () => {
      const channels = [await createsChannel(), await createsChannel()];
      const testers = await Promise.all(
        channels.flatMap((channelId) => [subscribes(channelId), subscribes(channelId)]),
      );
      const buildId = await uploads();
      for (const channelId of channels) await promotes(channelId, buildId);
      await queues();
      const rename = async (...names: string[]): Promise<void> => {
        for (const [index, name] of names.entries())
          await ann.patch(`/channels/${channels[index]!}?${query}`, { name }).expect(200);
      };
      const subjectsOf = async (tester: TesterJson) =>
        (await mailsTo(tester)).map(({ subject }) => /: (.*)$/.exec(subject!)?.[1]);
      const reading = jest.spyOn(app.nest.get(InstallMailsService, { strict: false }), 'names');
      // Mails of one minute share what was read: this test begins with one.
      await app.clock.advance({ seconds: 60 - (Math.floor(app.clock.now().getTime() / 1000) % 60) });
      await rename('Friends', 'Family');
      await sendsHeldTo(testers[0]!);
      await sendsHeldTo(testers[2]!);
      await rename('Everybody', 'Nobody');
      await sendsHeldTo(testers[3]!);
      await app.clock.advance({ seconds: 60 });
      await sendsHeldTo(testers[1]!);
      expect(await Promise.all(testers.map(subjectsOf))).toEqual([['Friends'], ['Everybody'], ['Family'], ['Family']]);
      expect(reading).toHaveBeenCalledTimes(3);
      reading.mockRestore();
    });

    // red when: a mail about several releases needs all of them: it fails until it is given up
    it('leave out a release that was withdrawn', async () => {
      const channelId = await createsChannel();
      const [tess, bob] = [await subscribes(channelId), await subscribes(channelId)];
      const android = await uploads('android');
      await promotes(channelId, android, 'Note A');
      const ios = await promotes(channelId, await uploads('ios'), 'Note B');
      await queues();
      const notesIn = async (tester: TesterJson): Promise<string[]> =>
        (await mailsTo(tester)).flatMap(({ text }) => text!.match(/Note [AB]/g) ?? []);
      await sendsHeldTo(bob);
      expect((await notesIn(bob)).sort()).toEqual(['Note A', 'Note B']);
      await app.clock.advance({ seconds: 60 });
      await ann.delete(`/releases/${ios}?${query}&channel_id=${channelId}`).expect(204);
      await sendsHeld();
      expect(await notesIn(tess)).toEqual(['Note A']);
    });

    it('are dropped when their release is withdrawn', async () => {
      const channelId = await createsChannel();
      const tess = await subscribes(channelId);
      const release = await promotes(channelId, await uploads(), 'Note A');
      await queues();
      await ann.delete(`/releases/${release}?${query}&channel_id=${channelId}`).expect(204);
      await sendsHeld();
      expect(await versionsIn(tess)).toEqual([]);
    });

    it('are not sent to testers who unsubscribe, or whose address turns out to be invalid', async () => {
      const channelId = await createsChannel();
      const testers = await Promise.all([1, 2, 3].map(() => subscribes(channelId)));
      const [tess, leaving, bounced] = testers as [TesterJson, TesterJson, TesterJson];
      const link = await linkOf(leaving);
      await promotes(channelId, await uploads(), 'Note A');
      await queues();
      await app.anonymous
        .post(`/install/${link}/unsubscribe`)
        .type('form')
        .send('List-Unsubscribe=One-Click')
        .expect(200);
      await app.sql('UPDATE tester SET bounced_at = now() WHERE id = $1', [bounced.id]);
      await sendsHeld();
      expect(await Promise.all(testers.map(versionsIn))).toEqual([['Note A'], [], []]);
      expect(await versionsIn(tess)).toHaveLength(1);
    });

    // red when: all mass mails have one priority: a few mails wait for the thousands that another organization queued before
    it('are sent after those of organizations that queued fewer today', async () => {
      // Without a payment an organization sends 200 mails a day.
      await app.sql('UPDATE billing_account SET fee_waived = true WHERE organization_id = $1', [
        tenant.organization.id,
      ]);
      const priorityFor = async (mailsToday: number): Promise<number> => {
        await app.sql(
          `INSERT INTO tester_mail_day (organization_id, day, mails) VALUES ($1, $2, $3)
           ON CONFLICT (organization_id, day) DO UPDATE SET mails = EXCLUDED.mails`,
          [tenant.organization.id, app.clock.now().toISOString().slice(0, 10), mailsToday],
        );
        const channelId = await createsChannel();
        await subscribes(channelId);
        await promotes(channelId, await uploads());
        await queues();
        const held = `SELECT priority FROM graphile_worker._private_jobs WHERE ${HELD}`;
        const [mail, ...others] = await app.sql<{ priority: number }>(held);
        expect(others).toEqual([]);
        await sendsHeld();
        return mail!.priority;
      };
      const [few, more, many] = [await priorityFor(0), await priorityFor(950), await priorityFor(450)];
      expect([few < more, few === many]).toEqual([true, true]);
    });
  });

  describe('that is undone', () => {
    // red when: the undone release is announced, or the one before it is not announced although it was replaced before its mails went out
    it('are about the release before it, which it kept from being announced', async () => {
      const channelId = await createsChannel();
      const tess = await subscribes(channelId);
      await promotes(channelId, await uploads(), 'Note A');
      const second = await promotes(channelId, await uploads(), 'Note B');
      // The announcement of the first release finds another one current.
      await app.sql(
        `DELETE FROM graphile_worker._private_jobs WHERE payload->'data'->>'releaseId' IN (SELECT id::text FROM release WHERE channel_id = $1)`,
        [channelId],
      );
      await undoes(channelId, second).expect(200);
      await jobsRun();
      expect(await versionsIn(tess)).toEqual(['Note A']);
    });

    it('are not sent again about a release that was announced before', async () => {
      const channelId = await createsChannel();
      const tess = await subscribes(channelId);
      const first = await promotes(channelId, await uploads(), 'Note A');
      await jobsRun();
      await app.sql(`UPDATE release SET promoted_at = promoted_at - interval '1 hour' WHERE id = $1`, [first]);
      const bob = await subscribes(channelId);
      const second = await promotes(channelId, await uploads(), 'Note B');
      await undoes(channelId, second).expect(200);
      await jobsRun();
      expect([await versionsIn(tess), await versionsIn(bob)]).toEqual([['Note A'], []]);
    });

    const WAITING = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    const isWaiting = async (): Promise<boolean> => (await app.sql(WAITING)).length > 0;

    // red when: undo does not lock the release, so that its mails go out although it succeeds; or locks the channel FOR UPDATE: a deadlock
    it('waits for a batch of mails that is being written, and fails then', async () => {
      const channelId = await createsChannel();
      const tess = await subscribes(channelId);
      const release = await promotes(channelId, await uploads(), 'Note A');
      const mailing = app.nest.get(ReleaseMailingService, { strict: false });
      const locking = jest.spyOn(app.nest.get(ReleasesRepository, { strict: false }), 'lock');
      const send = mailing.send.bind(mailing);
      let undone: PromiseLike<{ status: number; body: unknown }> | undefined;
      const sending = jest.spyOn(mailing, 'send').mockImplementation(async (...batch) => {
        undone ??= Promise.resolve(undoes(channelId, release));
        await until(isWaiting);
        return send(...batch);
      });
      try {
        await jobsRun();
        expect(await undone).toMatchObject({ status: 400, body: { details: { reason: 'undo_expired' } } });
        expect([sending.mock.calls.length, locking.mock.calls.length]).toEqual([1, 1]);
      } finally {
        jest.restoreAllMocks();
      }
      expect(await versionsIn(tess)).toEqual(['Note A']);
    });

    // red when: the rows of the mails are inserted without a lock on the release: the job fails
    it('stops a batch of mails that begins meanwhile', async () => {
      const channelId = await createsChannel();
      const tess = await subscribes(channelId);
      const release = await promotes(channelId, await uploads(), 'Note A');
      const mails = app.nest.get(ReleaseMailsRepository, { strict: false });
      const findFirst = mails.findFirst.bind(mails);
      const adding = jest.spyOn(mails, 'add');
      let sent: Promise<void> | undefined;
      jest.spyOn(mails, 'findFirst').mockImplementation(async (...of) => {
        sent ??= jobsRun();
        await until(isWaiting);
        return findFirst(...of);
      });
      try {
        await undoes(channelId, release).expect(200, { current: null });
        await sent;
        expect(adding).toHaveBeenCalledTimes(1);
      } finally {
        jest.restoreAllMocks();
      }
      expect(await versionsIn(tess)).toEqual([]);
      expect(await app.sql(`SELECT FROM graphile_worker.jobs WHERE last_error IS NOT NULL`)).toEqual([]);
    });

    // Without fixed points, to find unknown races.
    it('and its mails: one takes effect, when both begin together', async () => {
      for (let round = 0; round < 6; round++) {
        const channelId = await createsChannel();
        const tess = await subscribes(channelId);
        const release = await promotes(channelId, await uploads(), 'Note A');
        const [{ status }] = await Promise.all([undoes(channelId, release), jobsRun()]);
        await jobsRun();
        expect([status, await versionsIn(tess)]).toEqual(status === 200 ? [200, []] : [400, ['Note A']]);
      }
    });

    // red when: only the clock decides: releases of several platforms share mails, which go out before a minute has passed
    it('is undone only before its mails were written', async () => {
      const channelId = await createsChannel();
      const tess = await subscribes(channelId);
      const release = await promotes(channelId, await uploads(), 'Note A');
      await jobsRun();
      const { body } = await undoes(channelId, release).expect(400);
      expect(body).toMatchObject({ details: { reason: 'undo_expired' } });
      expect(await versionsIn(tess)).toEqual(['Note A']);
    });

    // red when: the response says that a minute has passed
    it('is not undone after a reminder, and says so', async () => {
      const channelId = await createsChannel();
      await subscribes(channelId);
      const release = await promotes(channelId, await uploads(), 'Note A');
      await ann.post(`/releases/${release}/reminders?${query}`, {}).expect(202);
      const { body } = await undoes(channelId, release).expect(400);
      expect(body).toMatchObject({ error: 'operation_not_allowed', details: { reason: 'undo_reminded' } });
    });
  });

  it('name the releases of several platforms that were promoted within a minute together', async () => {
    const channelId = await createsChannel();
    const tess = await subscribes(channelId);
    await promotes(channelId, await uploads('ios'));
    await promotes(channelId, await uploads('android'));
    await jobsRun();
    const [mail, ...others] = await mailsTo(tess);
    expect(others).toEqual([]);
    // red when: headings and subject do not tell the platforms apart
    expect(mail!.subject).toMatch(
      /: Demo App \S+ \(\d+\) for iOS and Demo & <Beta> \S+ \(42\) for Android are ready: /,
    );
    expect(mail!.text!.match(/Notes of the build/g)).toHaveLength(2);
    expect(mail!.text).toMatch(/^Demo App \S+ \(\d+\), iOS$/m);
    expect(mail!.html!.match(/<h2 /g)).toHaveLength(2);
  });

  // red when: the mail does not say whose app it is, or an icon is a picture on a server
  it('name the organization, in the sender too, and contain the icon of the app', async () => {
    const channelId = await createsChannel();
    const tess = await subscribes(channelId);
    const build = await uploads('ios');
    await promotes(channelId, build, 'Now **faster**: https://x.example/7');
    await jobsRun();
    const [mail] = await mailsTo(tess);
    const organization = / \((Organization [\w-]+)\)$/.exec(mail!.from!.name)?.[1];
    expect(mail!.from).toMatchObject({
      name: expect.stringMatching(/^Project [\w-]+ \(/) as string,
      address: 'agate@localhost',
    });
    expect(mail!.text).toContain(`${organization} sends you a new version to test.`);
    expect(mail!.html).toContain('Now <strong>faster</strong>: <a class="link" href="https://x.example/7"');
    expect(mail!.html).toContain(`<img src="cid:${build}" width="48"`);
    expect(mail!.attachments.map(({ contentId, disposition }) => [contentId, disposition])).toEqual([
      ['<install-link>', 'inline'],
      [`<${build}>`, 'inline'],
    ]);
  });

  // red when: an announcement covers all releases of the minute
  it('do not name a silent release that was promoted within the same minute', async () => {
    const channelId = await createsChannel();
    const tess = await subscribes(channelId);
    const body = { build_id: await uploads('ios'), notes: 'Silent', notify: false };
    await ann.post(`/releases?${query}&channel_id=${channelId}`, body).expect(201);
    await promotes(channelId, await uploads('android'), 'Told');
    await jobsRun();
    const [mail, ...others] = await mailsTo(tess);
    expect(others).toEqual([]);
    expect(mail!.text).toContain('Told');
    expect(mail!.text).not.toContain('Silent');
  });

  it('are in the language of the project, like invitations', async () => {
    const changes = (language: string) =>
      ann.patch(`/projects/${tenant.project.id}?organization_id=${tenant.organization.id}`, { language }).expect(200);
    await changes('de');
    const channelId = await createsChannel();
    const tess = await subscribes(channelId);
    await linkOf(tess);
    await promotes(channelId, await uploads());
    await jobsRun();
    await changes('en');
    const [invitation, release] = await mailsTo(tess);
    expect(invitation!.subject).toMatch(/ testen$/);
    expect(invitation!.text).toContain('lädt Sie ein');
    expect(release!.subject).toContain('ist bereit');
    for (const { html, text } of [invitation!, release!]) {
      expect(html).toContain('lang="de"');
      expect(html).toContain('Falls die Schaltfläche nicht funktioniert');
      expect(text).not.toMatch(/unsubscribe:|Install:/i);
    }
  });

  // red when: a promotion enqueues its mails immediately
  it('are sent about the last promotion alone when two builds are toggled within a minute', async () => {
    const channelId = await createsChannel();
    const testers = [await subscribes(channelId), await subscribes(channelId)];
    const toggled = [await uploads(), await uploads()];
    for (let turn = 0; turn < 25; turn++) await promotes(channelId, toggled[turn % 2]!, `turn ${turn}`);
    await jobsRun();
    for (const tester of testers) {
      expect((await mailsTo(tester)).map(({ text }) => /turn \d+/.exec(text!)?.[0])).toEqual(['turn 24']);
    }
  });

  it('are sent once when the job runs several times', async () => {
    const channelId = await createsChannel();
    const tess = await subscribes(channelId);
    const releaseId = await promotes(channelId, await uploads());
    await jobsRun();
    const scopeOfJob = { organizationId: tenant.organization.id, projectId: tenant.project.id };
    for (let run = 0; run < 3; run++) {
      await app.sql(`SELECT FROM graphile_worker.add_job('release.announce', $1::json)`, [
        JSON.stringify({ request_id: 'test', data: { releaseId, scope: scopeOfJob, after: null } }),
      ]);
    }
    await jobsRun();
    expect(await mailsTo(tess)).toHaveLength(1);
  });
});
