import { type Developer, type OrganizationRef, type ProjectRef, scope } from '../../support/actors/actors';
import { createsWebhook, RECEIVERS_HERE } from '../../support/actors/webhook-actors';
import { TestApp } from '../../support/app/test-app';
import { ipa } from '../../support/artifacts/valid-artifacts';
import { WebhookReceiver } from '../../support/servers/webhook-receiver';
import { until } from '../../support/until';

let app: TestApp;
let ann: Developer;
let organization: OrganizationRef;
let project: ProjectRef;
let receiver: WebhookReceiver;

beforeAll(async () => {
  app = await TestApp.start({ environment: RECEIVERS_HERE });
  ann = await app.developer();
  organization = await ann.createsOrganization('Acme');
  await ann.changesPlan(organization, 'business');
  project = await ann.createsProject(organization, 'Rocket');
});
afterAll(() => app.stop());
beforeEach(async () => {
  receiver = await WebhookReceiver.start();
});
afterEach(async () => {
  await app.sql('DELETE FROM webhook');
  await receiver.stop();
});

const uploads = () => ann.uploads(project, { bytes: ipa(), fileName: 'Rocket.ipa' });

describe('the message of a webhook', () => {
  // red when: the days that are left are no fact of the event
  it('about a signature has the days that are left, also in a chat', async () => {
    const build = await uploads();
    const options = { projectId: project.id, types: ['build.signing_expires'] };
    const slack = await WebhookReceiver.start();
    await createsWebhook(ann, organization, receiver, options);
    await createsWebhook(ann, organization, slack, { ...options, format: 'slack' });
    await app.sql(
      `INSERT INTO audit_event (id, organization_id, project_id, type, actor_kind, request_id, payload, time)
       VALUES (gen_random_uuid(), $1, $2, 'build.signing_expires', 'system', 'test', $3, now())`,
      [
        organization.id,
        project.id,
        { build_id: build.id, platform: 'ios', what: 'profile', expires_at: '2026-12-05T10:00:00.000Z', days_left: 7 },
      ],
    );
    await until(() => receiver.messages.length + slack.messages.length === 2);
    expect(receiver.events[0]?.data).toMatchObject({
      build: { id: build.id },
      what: 'profile',
      expires_at: '2026-12-05T10:00:00.000Z',
      days_left: 7,
    });
    const { text, blocks } = JSON.parse(slack.messages[0]!.body) as { text: string; blocks: unknown[] };
    const name = `${build.version} (${build.build_number as string})`;
    expect(text).toContain(`The provisioning profile of Demo App ${name} expires in 7 days`);
    expect(blocks.length).toBeGreaterThan(1);
    await slack.stop();
  });

  it('is about the chosen channels alone', async () => {
    const build = await uploads();
    const [beta, stable] = [await ann.createsChannel(project, 'Beta'), await ann.createsChannel(project, 'Stable')];
    const types = ['release.promoted', 'project.updated'];
    const filter = { channel_ids: [stable.id] };
    await createsWebhook(ann, organization, receiver, { projectId: project.id, types, filter });
    await ann.promotes(project, beta, build);
    await ann.promotes(project, stable, build);
    await ann.patch(`/projects/${project.id}?${scope(project)}`, { name: 'End' }).expect(200);
    await until(() => receiver.messages.length === 2);
    expect(receiver.events.map(({ type }) => type)).toEqual(types);
    expect(receiver.events[0]?.data.channel).toMatchObject({ id: stable.id });
  });

  it('has at most 20 kB', async () => {
    const types = ['build.uploaded', 'release.promoted'];
    await createsWebhook(ann, organization, receiver, { projectId: project.id, types, include_links: true });
    const notes = `https://example.com ${'😀'.repeat(4_900)}`;
    const build = await ann.uploads(project, { bytes: ipa(), fileName: 'Rocket.ipa' }, { notes });
    await ann.promotes(project, await ann.createsChannel(project, 'Long'), build, notes);
    await until(() => receiver.messages.length === 2);
    for (const { body, event } of receiver.messages) {
      expect(Buffer.byteLength(body)).toBeLessThanOrEqual(20_000);
      expect(event.data).toMatchObject({
        cut: true,
        build: { id: build.id },
        install_url: expect.any(String) as string,
      });
    }
  });
});
