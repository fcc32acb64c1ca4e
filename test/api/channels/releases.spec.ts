import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Bearer,
  type BuildJson,
  type ChannelJson,
  type Developer,
  type OrganizationRef,
  type ProjectRef,
  type ReleaseJson,
  scope,
} from '../../support/actors/actors';
import { ResumableClient } from '../../support/actors/resumable-client';
import { verifiedDeveloper } from '../../support/actors/tenant';
import { TestApp } from '../../support/app/test-app';
import { aab, apk, ipa } from '../../support/artifacts/valid-artifacts';

const IPA = { bytes: ipa(), fileName: 'Demo.ipa' };
const APK = { bytes: apk(), fileName: 'Demo.apk' };

describe('a release', () => {
  let app: TestApp;
  let ann: Developer;
  let organization: OrganizationRef;
  let project: ProjectRef;
  let beta: ChannelJson;
  let a: BuildJson;
  let b: BuildJson;
  let android: BuildJson;
  beforeAll(async () => {
    app = await TestApp.start({ worker: false });
    ann = await verifiedDeveloper(app);
    organization = await ann.createsOrganization();
    await ann.changesPlan(organization, 'business');
    project = await ann.createsProject(organization);
    [a, b, android] = [
      await ann.uploads(project, IPA, { notes: 'What is new' }),
      await ann.uploads(project, IPA, { version: '2.0' }),
      await ann.uploads(project, APK),
    ];
  });
  beforeEach(async () => {
    beta = await ann.createsChannel(project);
  });
  afterAll(() => app.stop());

  const releases = (id = '', channel: { id: string } = beta, of = project): string =>
    `/releases${id && `/${id}`}?${scope(of)}&channel_id=${channel.id}`;
  const current = async (channel = beta): Promise<ReleaseJson[]> =>
    (await ann.get(releases('current/all', channel)).expect(200)).body as ReleaseJson[];
  const currentBuilds = async (): Promise<string[]> => (await current()).map(({ build_id: id }) => id);
  const all = async (query = ''): Promise<ReleaseJson[]> =>
    ((await ann.get(releases() + query).expect(200)).body as { items: ReleaseJson[] }).items;
  const undo = (id: string) => ann.post(releases(`${id}/undo`));
  /** The releases with a job that mails subscribers. No worker runs these jobs. */
  const announced = async (): Promise<string[]> => {
    const jobs = await app.sql<{ id: string }>(
      `SELECT payload->'data'->>'releaseId' AS id FROM graphile_worker._private_jobs j
       JOIN graphile_worker._private_tasks t ON t.id = j.task_id
       WHERE t.identifier = 'release.announce' AND EXISTS (
         SELECT FROM audit_event WHERE payload @> jsonb_build_object('channel_id', $1::text, 'release_id', j.payload->'data'->>'releaseId'))
       ORDER BY j.id`,
      [beta.id],
    );
    return jobs.map(({ id }) => id);
  };

  it('can be created by promoting a build, and read', async () => {
    const made = await ann.promotes(project, beta, a, 'Please try the login');
    expect(made).toEqual({
      id: made.id,
      organization_id: organization.id,
      project_id: project.id,
      channel_id: beta.id,
      build_id: a.id,
      platform: 'ios',
      sequence: 1,
      current: true,
      notes: 'Please try the login',
      notify: true,
      mails: null,
      mandatory: false,
      promoted_at: expect.stringMatching(/^2.*Z$/) as string,
      promoted_by: { kind: 'developer', id: ann.id, label: ann.email },
      build: {
        id: a.id,
        platform: 'ios',
        version: '1.2.3',
        build_number: '42',
        app_name: 'Demo App',
        bundle_id: 'com.example.demo',
        min_os_version: '15.0',
        min_sdk: null,
        notes: 'What is new',
        file_name: 'Demo.ipa',
        size_bytes: IPA.bytes.length,
        sha256: a.sha256,
        uploaded_at: a['uploaded_at'],
        installable: true,
        install_url: a.install_url,
        icon_url: a['icon_url'],
      },
    });
    expect((await ann.get(releases(made.id)).expect(200)).body).toEqual(made);
    expect((await ann.get(releases()).expect(200)).body).toEqual({ items: [made], next_cursor: null });
    expect(await current()).toEqual([made]);
    const events = await app.sql(
      `SELECT payload FROM audit_event WHERE type = 'release.promoted' AND payload->>'release_id' = $1`,
      [made.id],
    );
    expect(events).toEqual([
      {
        payload: {
          release_id: made.id,
          channel_id: beta.id,
          build_id: a.id,
          platform: 'ios',
          sequence: 1,
          notify: true,
          mandatory: false,
        },
      },
    ]);
  });

  it('can be promoted without mails, as the release and the audit event show', async () => {
    const { body } = await ann.post(releases(), { build_id: a.id, notify: false }).expect(201);
    const { id } = body as ReleaseJson;
    expect(body).toMatchObject({ current: true, notify: false });
    expect(await all()).toMatchObject([{ id, notify: false }]);
    expect(await announced()).toEqual([]);
    const events = await app.sql(
      `SELECT payload->'notify' AS notify FROM audit_event WHERE payload->>'release_id' = $1`,
      [id],
    );
    expect(events).toEqual([{ notify: false }]);
  });

  // red when: the current release is the one with the highest version, or with the newest build
  it('of an older build becomes current when that build is promoted again', async () => {
    const made = [];
    for (const build of [a, b, a]) made.push(await ann.promotes(project, beta, build));
    expect(made.map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
    expect(await currentBuilds()).toEqual([a.id]);
    expect((await all()).map(({ build_id: id, current }) => [id, current])).toEqual([
      [a.id, true],
      [b.id, false],
      [a.id, false],
    ]);
    expect(await announced()).toEqual(made.map(({ id }) => id));
  });

  it('is current beside those of other platforms, which are listed in a fixed order', async () => {
    await ann.promotes(project, beta, android);
    await ann.promotes(project, beta, a);
    await ann.promotes(project, beta, b);
    expect(await currentBuilds()).toEqual([b.id, android.id]);
    expect((await all('&platform=android')).map(({ build_id: id }) => id)).toEqual([android.id]);
    expect((await ann.get(`${releases()}&platform=palm`).expect(400)).body).toMatchObject({
      error: 'validation_error',
    });
  });

  it('cannot be created for a build that is already current', async () => {
    await ann.promotes(project, beta, a);
    expect((await ann.promote(project, beta, a).expect(409)).body).toMatchObject({ error: 'already_exists' });
    await ann.promotes(project, await ann.createsChannel(project), a);
    // A rejected promotion uses no number.
    expect((await ann.promotes(project, beta, b)).sequence).toBe(2);
  });

  // red when: the row of current_release is not restored, or a withdrawal enqueues mails
  it('can be withdrawn, which makes the previous release current again without mails', async () => {
    const first = await ann.promotes(project, beta, a);
    const second = await ann.promotes(project, beta, b);
    const third = await ann.promotes(project, beta, a);
    const before = await announced();
    await ann.delete(releases(second.id)).expect(204);
    expect((await current()).map(({ id }) => id)).toEqual([third.id]);
    await ann.delete(releases(third.id)).expect(204);
    expect((await current()).map(({ id }) => id)).toEqual([first.id]);
    await ann.delete(releases(first.id)).expect(204);
    expect(await current()).toEqual([]);
    await ann.get(releases(first.id)).expect(404);
    await ann.delete(releases(first.id)).expect(404);
    expect(await announced()).toEqual(before);
    const withdrawn = await app.sql(
      `SELECT payload->>'release_id' AS id FROM audit_event e
       WHERE type = 'release.withdrawn' AND payload->>'channel_id' = $1 ORDER BY e.id`,
      [beta.id],
    );
    expect(withdrawn).toEqual([second, third, first].map(({ id }) => ({ id })));
    expect((await ann.promotes(project, beta, a)).sequence).toBe(4);
  });

  // red when: the undo is a withdrawal at any time, or does not restore the row of current_release
  it('can be undone within a minute, which makes the previous release current again', async () => {
    const first = await ann.promotes(project, beta, a);
    const second = await ann.promotes(project, beta, b);
    expect((await undo(first.id).expect(400)).body).toMatchObject({
      error: 'operation_not_allowed',
      details: { reason: 'undo_replaced' },
    });
    expect((await undo(second.id).expect(200)).body).toEqual({ current: first });
    expect((await current()).map(({ id }) => id)).toEqual([first.id]);
    expect((await undo(first.id).expect(200)).body).toEqual({ current: null });
    expect(await all()).toEqual([]);
    await undo(first.id).expect(404);
    const undone = await app.sql(
      `SELECT payload FROM audit_event e WHERE type = 'release.undone' AND payload->>'channel_id' = $1 ORDER BY e.id`,
      [beta.id],
    );
    expect(undone).toEqual(
      [second, first].map(({ id, build_id, sequence }) => ({
        payload: { release_id: id, channel_id: beta.id, build_id, platform: 'ios', sequence },
      })),
    );
    expect((await ann.promotes(project, beta, a)).sequence).toBe(3);
  });

  it('cannot be undone after a minute', async () => {
    const { id } = await ann.promotes(project, beta, a);
    await app.sql(`UPDATE release SET promoted_at = promoted_at - interval '1 minute' WHERE id = $1`, [id]);
    expect((await undo(id).expect(400)).body).toMatchObject({
      error: 'operation_not_allowed',
      details: { reason: 'undo_expired' },
    });
    expect(await currentBuilds()).toEqual([a.id]);
  });

  it('is undone only by members and tokens that may promote, in its own channel', async () => {
    const other = await ann.createsChannel(project);
    const { id } = await ann.promotes(project, beta, a);
    const weak = app.ci(await ann.createsToken(project, 'UPLOAD_BUILD'));
    await weak.post(`/releases/${id}/undo?${scope(project)}&channel_id=${beta.id}`).expect(403);
    await ann.post(releases(`${id}/undo`, other)).expect(404);
    expect(await currentBuilds()).toEqual([a.id]);
  });

  // red when: fk_current_release_release cascades, or fk_release_build does not
  it('keeps its build from being deleted while it is current, and is deleted with its build afterwards', async () => {
    const [x, y] = [await ann.uploads(project, IPA), await ann.uploads(project, IPA)];
    const past = await ann.promotes(project, beta, x);
    await ann.promotes(project, beta, y);
    const build = (id: string): string => `/builds/${id}?${scope(project)}`;
    const { body } = await ann.delete(build(y.id)).expect(409);
    expect(body).toMatchObject({
      error: 'dependency_exists',
      message: expect.stringContaining('current release') as string,
    });
    await ann.delete(build(x.id)).expect(204);
    await ann.get(releases(past.id)).expect(404);
    expect(await currentBuilds()).toEqual([y.id]);
  });

  it('keeps its channel from being deleted', async () => {
    const release = await ann.promotes(project, beta, a);
    const channel = `/channels/${beta.id}?${scope(project)}`;
    const { body } = await ann.delete(channel).expect(409);
    expect(body).toMatchObject({ error: 'dependency_exists', message: 'A release still uses it. Delete that first.' });
    await ann.delete(releases(release.id)).expect(204);
    await ann.delete(channel).expect(204);
  });

  it('can be created for a build that no device can install', async () => {
    const build = await ann.uploads(project, { bytes: aab(), fileName: 'Demo.aab' });
    const release = await ann.promotes(project, beta, build);
    expect(release['build']).toMatchObject({ installable: false });
  });

  it('is not found under another channel or project', async () => {
    const elsewhere = await ann.createsProject(organization);
    const theirs = await ann.uploads(elsewhere, IPA);
    const alpha = await ann.createsChannel(elsewhere);
    const other = await ann.createsChannel(project);
    const release = await ann.promotes(project, beta, a);
    const nowhere = { id: randomUUID() };
    const requests = [
      ann.promote(project, beta, theirs),
      ann.promote(project, beta, nowhere),
      ann.promote(project, alpha, a),
      ann.promote(project, nowhere, a),
      ann.get(releases(release.id, other)),
      ann.get(releases(release.id, nowhere)),
      ann.delete(releases(release.id, other)),
      ann.get(releases(release.id, alpha, elsewhere)),
      ann.get(releases('', nowhere)),
      ann.get(releases('', alpha)),
      ann.get(releases('current/all', nowhere)),
      ann.get(releases('current/all', alpha)),
    ];
    const responses = await Promise.all(requests);
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 404));
    expect(await currentBuilds()).toEqual([a.id]);
  });

  it('requires channel_id and a valid body', async () => {
    const invalid = [
      ann.get(`/releases?${scope(project)}`),
      ann.get(`/releases/current/all?${scope(project)}&channel_id=beta`),
      ann.post(`/releases?${scope(project)}`, { build_id: a.id }),
      ann.post(releases(), {}),
      ann.post(releases(), { build_id: 'newest' }),
      ann.post(releases(), { build_id: a.id, notes: 'x'.repeat(5001) }),
      ann.post(releases(), { build_id: a.id, notify: 'no' }),
      ann.post(releases(), { build_id: a.id, colour: 'red' }),
    ];
    for (const { status, body } of await Promise.all(invalid)) {
      expect(status).toBe(400);
      expect(body).toMatchObject({ error: 'validation_error' });
    }
  });

  it('cannot be created below the business plan', async () => {
    const small = await ann.createsProject(await ann.createsOrganization());
    const build = await ann.uploads(small, IPA);
    const { body } = await ann.promote(small, { id: randomUUID() }, build).expect(400);
    expect(body).toMatchObject({ error: 'operation_not_allowed', details: { required_plan: 'business' } });
  });

  it('is created once when concurrent requests repeat its idempotency key', async () => {
    const key = randomUUID();
    const promote = () => ann.promote(project, beta, a).set('Idempotency-Key', key);
    const responses = await Promise.all([promote(), promote(), promote()]);
    expect(responses.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(responses.map(({ body }) => (body as ReleaseJson).id)).size).toBe(1);
    expect(await all()).toHaveLength(1);
    expect(await announced()).toHaveLength(1);
  });

  it('is listed page by page, newest first', async () => {
    const made = [];
    for (const build of [a, b, a, b, android]) made.push((await ann.promotes(project, beta, build)).id);
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const { body } = await ann.get(`${releases()}&limit=2&cursor=${cursor}`).expect(200);
      const page = body as { items: ReleaseJson[]; next_cursor: string | null };
      seen.push(...page.items.map(({ id }) => id));
      cursor = page.next_cursor;
    }
    expect(seen).toEqual([...made].reverse());
  });

  describe('created by an upload with channel_id', () => {
    /** Files and rows that a rejected upload must not leave behind. */
    const leftovers = async (): Promise<unknown> => ({
      files: (await readdir(join(app.dataDirectory, 'artifacts'), { recursive: true, withFileTypes: true })).filter(
        (entry) => entry.isFile(),
      ).length,
      rows: await app.sql(`SELECT (SELECT count(*) FROM build) AS builds, (SELECT count(*) FROM release) AS releases,
        (SELECT count(*) FROM artifact_upload) AS uploads, (SELECT count(*) FROM reservation WHERE state = 'active') AS open`),
    });
    const PARTS = ['before', 'after'] as const;
    /** Sends the part `channel_id` before or after the file. */
    const upload = (by: Bearer, order: 'before' | 'after', channelId: string, to = project) => {
      const request = by.request('post', `/builds?${scope(to)}`);
      if (order === 'before') void request.field('channel_id', channelId);
      void request.attach('file', IPA.bytes, IPA.fileName);
      return order === 'before' ? request : request.field('channel_id', channelId);
    };

    it.each(PARTS)('is current immediately when the part comes %s the file', async (order) => {
      const ci = app.ci(await ann.createsToken(project, 'MANAGE_RELEASES'));
      const { body } = await upload(ci, order, beta.id).expect(201);
      const { id, release_id: releaseId } = body as BuildJson;
      expect(await current()).toMatchObject([
        { id: releaseId, build_id: id, promoted_by: { kind: 'project_access_token' } },
      ]);
      expect(await announced()).toEqual([releaseId]);
    });

    it.each(['before', 'after'] as const)(
      'mails no subscriber when `notify=false` comes %s the file',
      async (order) => {
        const request = ann.request('post', `/builds?${scope(project)}`).field('channel_id', beta.id);
        if (order === 'before') void request.field('notify', 'false');
        void request.attach('file', IPA.bytes, IPA.fileName);
        await (order === 'before' ? request : request.field('notify', 'false')).expect(201);
        expect(await current()).toMatchObject([{ notify: false }]);
        expect(await announced()).toEqual([]);
      },
    );

    it('mails no subscriber when the start of a resumable upload has notify=false', async () => {
      const fields = {
        channel_id: beta.id,
        notify: false,
        pull_request: 12,
        pull_request_url: 'https://git.example.com/12',
      };
      const client = await ResumableClient.start(ann, project, IPA, fields);
      await client.sendAll();
      const { source } = (await client.completes()) as BuildJson & { source: object };
      expect(source).toMatchObject({ pull_request: { number: 12, url: 'https://git.example.com/12' } });
      expect(await current()).toMatchObject([{ notify: false }]);
      expect(await announced()).toEqual([]);
    });

    it('is absent from the response when channel_id is absent or empty', async () => {
      expect(await ann.uploads(project, IPA)).not.toHaveProperty('release_id');
      expect(await ann.uploads(project, IPA, { channel_id: '' })).not.toHaveProperty('release_id');
    });

    // red when: the upload does not check the role, the plan or the channel of the promotion
    it.each(PARTS)(
      'is rejected like a promotion and leaves nothing behind when the part comes %s the file',
      async (order) => {
        const ci = app.ci(await ann.createsToken(project, 'UPLOAD_BUILD'));
        const pat = async (scopes: string[]): Promise<Bearer> => {
          const { body } = await ann.post(`/pats?organization_id=${organization.id}`, { name: 'Script', scopes });
          return app.ci((body as { token: string }).token);
        };
        const small = await ann.createsProject(await ann.createsOrganization());
        const script = await pat(['builds:upload']);
        const before = await leftovers();
        const cases: [ReturnType<typeof upload>, number, object][] = [
          [
            upload(ci, order, beta.id),
            403,
            { error: 'insufficient_role', details: { required_role: 'MANAGE_RELEASES' } },
          ],
          [upload(script, order, beta.id), 403, { error: 'permission_denied' }],
          [upload(ann, order, randomUUID()), 404, { error: 'not_found' }],
          [upload(ann, order, 'beta'), 400, { error: 'validation_error' }],
          [upload(ann, order, randomUUID(), small), 400, { error: 'operation_not_allowed' }],
        ];
        for (const [request, status, body] of cases) {
          const response = await request;
          expect({ status: response.status, body: response.body as object }).toMatchObject({ status, body });
        }
        expect(await leftovers()).toEqual(before);
        const both = await pat(['builds:upload', 'releases:write']);
        await upload(both, order, beta.id).expect(201);
      },
    );
  });
});
