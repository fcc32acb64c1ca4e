import { Webhook } from 'standardwebhooks';
import { type Developer, type OrganizationRef } from '../support/actors/actors';
import { verifiedDeveloper } from '../support/actors/tenant';
import { createsWebhook, isDueNow, listsDeliveries, of } from '../support/actors/webhook-actors';
import { TestApp } from '../support/app/test-app';
import { ServerProcess } from '../support/processes/server-process';
import { WebhookReceiver } from '../support/servers/webhook-receiver';
import { eventually, until } from '../support/until';
import { CaddyProcess } from './caddy-process';

jest.setTimeout(300_000);

const ENVIRONMENT = { WEBHOOK_ALLOWED_HOSTS: 'localhost,127.0.0.1' };

describe('a receiver of webhooks behind Caddy, whose certificate is of an authority of its own', () => {
  let app: TestApp;
  let ann: Developer;
  let organization: OrganizationRef;
  let receiver: WebhookReceiver;
  let caddy: CaddyProcess;
  let worker: ServerProcess | undefined;

  beforeAll(async () => {
    app = await TestApp.start({ worker: false, environment: ENVIRONMENT });
    ann = await verifiedDeveloper(app);
    receiver = await WebhookReceiver.start();
    caddy = await CaddyProcess.prepare();
    await caddy.startInFrontOf(receiver.port);
  });
  beforeEach(async () => (organization = await ann.createsOrganization()));
  afterEach(async () => {
    await worker?.stop();
    worker = undefined;
    await app.sql('DELETE FROM webhook');
  });
  afterAll(async () => {
    await caddy?.stop();
    await receiver?.stop();
    await app?.stop();
  });

  const startsWorker = async (environment: Readonly<Record<string, string>> = {}): Promise<void> => {
    const place = { dataDirectory: app.dataDirectory, database: app.database };
    worker = await ServerProcess.start(place, { ...ENVIRONMENT, ROLE: 'worker', ...environment });
  };
  const attempted = async (id: string, attempts: number) => {
    const [delivery] = await eventually(
      () => listsDeliveries(ann, organization, id),
      ([first]) => (first?.attempts ?? 0) >= attempts,
    );
    return delivery;
  };

  // red when: certificates of customers' endpoints are not verified, or `NODE_EXTRA_CA_CERTS` has no effect on them
  it('gets nothing until the operator names the authority, and then the same message', async () => {
    const url = `https://${caddy.host}/hook`;
    const { id, secret } = await createsWebhook(ann, organization, { url });
    await ann.createsProject(organization);
    await startsWorker();
    expect(await attempted(id, 1)).toMatchObject({ state: 'pending', last_error: 'tls', last_status: null });
    expect(receiver.messages).toHaveLength(0);
    await worker?.stop();
    await startsWorker({ NODE_EXTRA_CA_CERTS: caddy.authorityFile });
    await isDueNow(app, id);
    await until(() => receiver.messages.length === 1);
    const [{ body, headers }] = receiver.messages as [(typeof receiver.messages)[0]];
    expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toMatchObject({
      type: 'project.created',
    });
    expect(headers['x-forwarded-proto']).toBe('https');
    expect(await attempted(id, 2)).toMatchObject({ state: 'delivered', last_status: 204 });
  });

  // red when: the name of the certificate is not compared
  it('gets nothing by an address for which it has no certificate', async () => {
    const url = `https://127.0.0.1:${caddy.host.split(':')[1]}/hook`;
    const before = receiver.messages.length;
    const { id } = await createsWebhook(ann, organization, { url });
    await ann.createsProject(organization);
    await startsWorker({ NODE_EXTRA_CA_CERTS: caddy.authorityFile });
    expect(await attempted(id, 1)).toMatchObject({ state: 'pending', last_error: 'tls' });
    expect(receiver.messages).toHaveLength(before);
    await ann.get(`/webhooks/${id}?${of(organization)}`).expect(200);
  });
});
