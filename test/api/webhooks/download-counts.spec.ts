import { Webhook } from 'standardwebhooks';
import {
  type BuildJson,
  type Developer,
  type OrganizationRef,
  type ProjectRef,
  scope,
} from '../../support/actors/actors';
import {
  createsWebhook,
  isDueNow,
  listsDeliveries,
  of,
  readsWebhook,
  RECEIVERS_HERE,
} from '../../support/actors/webhook-actors';
import { TestApp } from '../../support/app/test-app';
import { apk, ipa } from '../../support/artifacts/valid-artifacts';
import { WebhookReceiver } from '../../support/servers/webhook-receiver';
import { eventually, until } from '../../support/until';

interface CountData {
  readonly build_id: string;
  readonly count: number;
  readonly since: string;
  readonly until: string;
  readonly build: { readonly id: string } | null;
}

describe('downloads.counted', () => {
  let app: TestApp;
  let ann: Developer;
  let organization: OrganizationRef;
  let project: ProjectRef;
  let receiver: WebhookReceiver;
  let ios: BuildJson;
  let android: BuildJson;

  beforeAll(async () => {
    app = await TestApp.start({ environment: RECEIVERS_HERE });
  });
  afterAll(() => app.stop());
  beforeEach(async () => {
    // The tests move the clock, so that the login of an earlier one has expired.
    ann = await app.developer();
    organization = await ann.createsOrganization('Acme');
    project = await ann.createsProject(organization, 'Rocket');
    ios = await ann.uploads(project, { bytes: ipa(), fileName: 'a.ipa' });
    android = await ann.uploads(project, { bytes: apk(), fileName: 'a.apk' });
    receiver = await WebhookReceiver.start();
  });
  afterEach(async () => {
    await app.sql('DELETE FROM webhook');
    await receiver.stop();
  });

  async function downloads(build: BuildJson, times = 1): Promise<void> {
    for (let n = 0; n < times; n += 1) {
      const { body } = await ann.post(`/builds/${build.id}/download-url?${scope(project)}`).expect(200);
      const response = await fetch(app.url + new URL((body as { url: string }).url).pathname);
      expect(response.status).toBe(200);
      await response.arrayBuffer();
    }
  }
  const counts = (): CountData[] =>
    receiver.events.filter(({ type }) => type === 'downloads.counted').map(({ data }) => data as unknown as CountData);
  /** Lets a minute pass, after which the next message may be sent. */
  const aMinutePasses = (): Promise<void> => app.clock.advance({ seconds: 61 });

  // red when: a download is counted twice or not at all, or two messages are sent in a minute
  it('is sent at most once a minute, for one build after another, and counts each download once', async () => {
    await downloads(ios, 1);
    const types = ['downloads.counted'];
    const { secret, id } = await createsWebhook(ann, organization, receiver, { projectId: project.id, types });
    await downloads(ios, 3);
    await downloads(android, 2);
    await aMinutePasses();
    await until(() => counts().length === 1);
    await downloads(ios, 1);
    await aMinutePasses();
    await until(() => counts().length === 2);
    await aMinutePasses();
    await until(() => counts().length === 3);
    const sums = new Map<string, number>();
    for (const { build_id: build, count } of counts()) sums.set(build, (sums.get(build) ?? 0) + count);
    expect(sums).toEqual(
      new Map([
        [ios.id, 4],
        [android.id, 2],
      ]),
    );
    const [first] = receiver.messages;
    expect(new Webhook(secret).verify(first!.body, first!.headers as Record<string, string>)).toMatchObject({
      type: 'downloads.counted',
      actor: { kind: 'system', name: null },
      project_id: project.id,
    });
    for (const { build, build_id: buildId, since, until: end } of counts()) {
      expect(build).toMatchObject({ id: buildId });
      expect(Date.parse(end)).toBeGreaterThan(Date.parse(since));
    }
    const times = receiver.messages.map(({ headers }) => Number(headers['webhook-timestamp']));
    for (const [index, time] of times.slice(1).entries()) expect(time - times[index]!).toBeGreaterThanOrEqual(60);
    const deliveries = await eventually(
      () => listsDeliveries(ann, organization, id),
      (all) => all.every(({ state }) => state === 'delivered'),
    );
    expect(deliveries).toMatchObject(
      Array(3).fill({ event_type: 'downloads.counted', position: null, test: false, attempts: 1 }),
    );
    await aMinutePasses();
    const [due] = await eventually(
      () => app.sql<{ due: boolean }>('SELECT downloads_next_at <= app_now() AS due FROM webhook'),
      ([row]) => row?.due === false,
    );
    expect([due?.due, counts().length]).toEqual([false, 3]);
  });

  // red when: the type is not needed, or a project's webhook counts other projects
  it('is sent only to webhooks that name it, of the project or of the organization', async () => {
    const all = await WebhookReceiver.start();
    const other = await ann.createsProject(organization, 'Other');
    await createsWebhook(ann, organization, all, { types: ['downloads.counted', 'project.updated'] });
    await createsWebhook(ann, organization, receiver, { projectId: other.id, types: ['downloads.counted'] });
    await createsWebhook(ann, organization, receiver, { projectId: project.id, types: ['build.deleted'] });
    await downloads(ios);
    await aMinutePasses();
    await until(() => all.messages.length === 1);
    await ann.patch(`/projects/${project.id}?${of(organization)}`, { name: 'End' }).expect(200);
    await until(() => all.messages.length === 2);
    expect(all.events.map(({ type }) => type)).toEqual(['downloads.counted', 'project.updated']);
    expect(receiver.messages).toHaveLength(0);
    await all.stop();
  });

  // red when: the body is rendered again, or the downloads during the failure are added to a message that was sent
  it('comes again with the same bytes after a failure, and later downloads in a message of their own', async () => {
    const { id } = await createsWebhook(ann, organization, receiver, { types: ['downloads.counted'] });
    receiver.always(503);
    await downloads(ios, 2);
    await aMinutePasses();
    await until(() => receiver.messages.length === 1);
    await downloads(ios, 1);
    await until(async () => (await readsWebhook(ann, organization, id)).failing_since !== null);
    receiver.always(200);
    await isDueNow(app, id);
    await until(() => receiver.messages.length === 2);
    expect(receiver.messages[1]?.body).toBe(receiver.messages[0]?.body);
    expect(receiver.messages[1]?.headers['webhook-id']).toBe(receiver.messages[0]?.headers['webhook-id']);
    await until(async () => (await readsWebhook(ann, organization, id)).failing_since === null);
    await aMinutePasses();
    await until(() => receiver.messages.length === 3);
    expect(counts().map(({ count }) => count)).toEqual([2, 2, 1]);
  });

  // red when: a rejected count makes the webhook wait as a rejected event does
  it('delays no event when the endpoint rejects it, and is given up with the sixth attempt', async () => {
    const types = ['downloads.counted', 'project.updated'];
    const { id } = await createsWebhook(ann, organization, receiver, { types });
    receiver.answer = (response, { event }) => response.writeHead(event.type === 'downloads.counted' ? 400 : 204).end();
    await downloads(ios);
    await aMinutePasses();
    await until(() => counts().length === 1);
    await ann.patch(`/projects/${project.id}?${of(organization)}`, { name: 'Still' }).expect(200);
    await until(() => receiver.events.some(({ type }) => type === 'project.updated'));
    for (let attempt = 2; attempt <= 6; attempt += 1) {
      await app.sql('UPDATE webhook SET downloads_next_at = app_now() WHERE id = $1', [id]);
      await until(async () =>
        (await listsDeliveries(ann, organization, id)).some(
          (one) => one.event_type === 'downloads.counted' && one.attempts === attempt,
        ),
      );
    }
    expect(await listsDeliveries(ann, organization, id, 'failed')).toMatchObject([{ attempts: 6, last_status: 400 }]);
    expect(await readsWebhook(ann, organization, id)).toMatchObject({ state: 'on' });
  });

  // red when: counts of builds that the filter excludes are sent, or stay
  it('obeys the filter of platforms, and is a sentence in chats', async () => {
    const filter = { platforms: ['android'] };
    const { id } = await createsWebhook(ann, organization, receiver, {
      types: ['downloads.counted'],
      filter,
      format: 'slack',
    });
    await downloads(ios);
    await downloads(android, 2);
    await aMinutePasses();
    await until(() => receiver.messages.length === 1);
    expect(receiver.messages[0]?.body).toContain('2 downloads of');
    await aMinutePasses();
    await eventually(
      () => app.sql<{ due: boolean }>('SELECT downloads_next_at <= app_now() AS due FROM webhook WHERE id = $1', [id]),
      ([row]) => row?.due === false,
    );
    expect(await app.sql('SELECT FROM webhook_download_count')).toHaveLength(0);
    expect(receiver.messages).toHaveLength(1);
  });

  // red when: the cursor of downloads stays when the type is left out, or `now` keeps what was counted
  it('forgets what it counted when the type is removed, and when the webhook resumes from now', async () => {
    const { id } = await createsWebhook(ann, organization, receiver, { types: ['downloads.counted'] });
    await downloads(ios);
    const changes = (types: readonly string[]) =>
      ann.patch(`/webhooks/${id}?${of(organization)}`, { types }).expect(200);
    await changes(['build.deleted']);
    expect(await app.sql('SELECT downloads_cursor, downloads_next_at FROM webhook')).toEqual([
      { downloads_cursor: null, downloads_next_at: null },
    ]);
    await changes(['downloads.counted']);
    await ann.patch(`/webhooks/${id}?${of(organization)}`, { state: 'off' }).expect(200);
    await downloads(android);
    await ann.post(`/webhooks/${id}/resume?${of(organization)}`, { from: 'now' }).expect(200);
    await downloads(ios, 2);
    await aMinutePasses();
    await until(() => counts().length === 1);
    expect(counts()).toMatchObject([{ build_id: ios.id, count: 2 }]);
    const test = await ann.post(`/webhooks/${id}/test?${of(organization)}`, { type: 'downloads.counted' });
    expect([test.status, test.body]).toMatchObject([400, { error: 'validation_error' }]);
  });
});
