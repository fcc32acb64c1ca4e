import dns from 'node:dns';
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer, type Socket } from 'node:net';
import { type Developer, type OrganizationRef } from '../../support/actors/actors';
import {
  createsWebhook,
  type DeliveryJson,
  isDueNow,
  listsDeliveries,
  of,
  readsWebhook,
  RECEIVERS_HERE,
  type WebhookJson,
} from '../../support/actors/webhook-actors';
import { PATHS } from '../../support/app/built-dashboard';
import { TestApp } from '../../support/app/test-app';
import { startSilentServer } from '../../support/servers/silent-server';
import { WebhookReceiver } from '../../support/servers/webhook-receiver';
import { eventually, until } from '../../support/until';

let app: TestApp;
let ann: Developer;
let organization: OrganizationRef;
let receiver: WebhookReceiver;

beforeAll(async () => {
  app = await TestApp.start({
    environment: { ...RECEIVERS_HERE, BASE_URL: 'http://agate.test:3000', MAX_ORGANIZATIONS_PER_DEVELOPER: '100' },
  });
  ann = await app.developer();
});
afterAll(() => app.stop());
beforeEach(async () => {
  organization = await ann.createsOrganization('Acme');
  receiver = await WebhookReceiver.start();
});
afterEach(async () => {
  jest.restoreAllMocks();
  await app.sql('DELETE FROM webhook');
  await receiver.stop();
});

/** A server that passes each connection to `serve` when the request has begun. */
async function startRawServer(serve: (socket: Socket) => void): Promise<{ url: string; close: () => void }> {
  const server = createTcpServer((socket) => {
    socket.on('error', () => undefined).once('data', () => serve(socket));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close: () => void server.close() };
}

/** The delivery of the next event, after its first attempt. */
async function attempted(webhook: WebhookJson): Promise<DeliveryJson> {
  await ann.createsProject(organization);
  const [delivery] = await eventually(
    () => listsDeliveries(ann, organization, webhook.id),
    ([first]) => (first?.attempts ?? 0) > 0,
  );
  return delivery!;
}

describe('the address of a webhook', () => {
  // red when: `require` does not ask whether the address is allowed, or whether it is this service
  it.each([
    ['https://169.254.169.254/latest/meta-data', 'webhook_not_public'],
    ['https://[::ffff:10.0.0.1]/', 'webhook_not_public'],
    ['https://[::1]/', 'webhook_not_public'],
    ['https://0x7f000002/', 'webhook_not_public'],
    ['https://hooks.example.com:22/', 'webhook_port'],
    ['https://hooks.example.com:25/', 'webhook_port'],
    ['http://agate.test:3000/api/v1/organizations', 'webhook_own_host'],
    ['https://agate.test/', 'webhook_own_host'],
    ['https://AGATE.test:8443/', 'webhook_own_host'],
    ['http://127.0.0.1:3000/', 'webhook_own_host'],
  ])('%s is rejected with the reason %s', async (url, reason) => {
    const refused = await ann.post(`/webhooks?${of(organization)}`, { name: 'x', url, types: ['project.created'] });
    expect([refused.status, refused.body]).toMatchObject([
      400,
      { error: 'operation_not_allowed', details: { reason } },
    ]);
  });

  it.each(['ftp://hooks.example.com', 'https://user:secret@hooks.example.com', 'https://', 'not a url'])(
    '%s is invalid',
    async (url) => {
      const refused = await ann.post(`/webhooks?${of(organization)}`, { name: 'x', url, types: ['project.created'] });
      expect([refused.status, refused.body]).toMatchObject([400, { error: 'validation_error' }]);
    },
  );

  // red when: the addresses of a name are not checked, the name is resolved again for the connection, or the log says which address it has
  it.each([['10.0.0.5'], ['169.254.169.254'], ['::ffff:10.0.0.1']])(
    'a name that resolves to %s gets no connection',
    async (address) => {
      const webhook = await createsWebhook(ann, organization, { url: 'https://rebinding.example/hook' });
      const lookup = dns.lookup;
      jest
        .spyOn(dns, 'lookup')
        .mockImplementation(((host: string, options: object, found: (...all: unknown[]) => void) =>
          host === 'rebinding.example'
            ? found(null, [{ address, family: address.includes(':') ? 6 : 4 }])
            : (lookup as (...all: unknown[]) => void)(host, options, found)) as unknown as typeof dns.lookup);
      expect(await attempted(webhook)).toMatchObject({ state: 'pending', last_error: 'not_public', last_status: null });
    },
  );
});

/** The next attempt is due when the test says so. Without this header, it is due after five seconds. */
const LATER = { 'Retry-After': '3600' };

describe('an endpoint that responds with', () => {
  it.each([
    [301, 'pending'],
    [302, 'pending'],
    [429, 'pending'],
    [500, 'pending'],
    [503, 'pending'],
    [400, 'pending'],
  ])('%i is tried again', async (status, state) => {
    const other = await WebhookReceiver.start();
    receiver.always(status, { Location: `${other.url}`, ...LATER });
    const webhook = await createsWebhook(ann, organization, receiver);
    expect(await attempted(webhook)).toMatchObject({ state, last_status: status, last_error: 'status', attempts: 1 });
    expect(other.messages).toHaveLength(0);
    await other.stop();
  });

  it('a Retry-After header is retried after its time, after an hour at most', async () => {
    for (const [header, seconds] of [
      ['90', 90],
      ['86400', 3600],
    ] as const) {
      receiver.always(429, { 'Retry-After': header });
      const webhook = await createsWebhook(ann, organization, receiver);
      await attempted(webhook);
      const [row] = await app.sql<{ seconds: number }>(
        `SELECT extract(epoch FROM next_at - last_at)::float AS seconds FROM webhook WHERE id = $1`,
        [webhook.id],
      );
      expect(row!.seconds).toBeCloseTo(seconds, 0);
      await app.sql('DELETE FROM webhook');
    }
  });

  // red when: 410 is a rejection as 404 is, or the mail links to an address that is no screen of the dashboard
  it('410 turns the webhook off, with that status, and mails its creator a link to its screen', async () => {
    const project = await ann.createsProject(organization, 'Rocket');
    receiver.always(410);
    for (const [name, projectId] of [
      ['Gone', undefined],
      ['Gone too', project.id],
    ] as const) {
      const types = ['project.updated'];
      const webhook = await createsWebhook(ann, organization, receiver, { name, projectId, types });
      await ann.patch(`/projects/${project.id}?${of(organization)}`, { name }).expect(200);
      await until(async () => (await readsWebhook(ann, organization, webhook.id)).state === 'off');
      expect(await readsWebhook(ann, organization, webhook.id)).toMatchObject({
        off_reason: 'gone',
        last_status: 410,
        last_error: 'status',
      });
      expect(await listsDeliveries(ann, organization, webhook.id)).toMatchObject([
        { state: 'failed', last_status: 410 },
      ]);
      const mail = await eventually(
        async () => (await app.mailbox.all()).find(({ subject }) => subject === `The webhook ${name} is off`),
        (found) => found !== undefined,
      );
      const [, address = ''] = /http:\/\/agate\.test:3000(\/o\/\S+)/.exec(mail?.text ?? '') ?? [];
      expect(address).toContain(`/settings/webhooks/${webhook.id}`);
      expect(address.includes(`/p/${project.id}/`)).toBe(projectId !== undefined);
      expect(
        PATHS.filter((pattern) => new RegExp(`^${pattern.replaceAll(/\$\w+/g, '[^/]+')}$`).test(address)),
      ).toHaveLength(1);
    }
  });

  // red when: a rejected event is retried without an end, or the failures of the endpoint count as rejections of the event
  it('400 parks the event with the sixth attempt, and gets the next one', async () => {
    let rejects = true;
    const first: string[] = [];
    receiver.answer = (response, { event }) => {
      first.push(event.id);
      response.writeHead(rejects && event.id === first[0] ? 400 : 200, LATER).end();
    };
    const webhook = await createsWebhook(ann, organization, receiver);
    await ann.createsProject(organization, 'Rejected');
    await ann.createsProject(organization, 'Accepted');
    for (let attempt = 1; attempt < 6; attempt += 1) {
      await until(
        async () => (await listsDeliveries(ann, organization, webhook.id, 'pending'))[0]?.attempts === attempt,
      );
      await isDueNow(app, webhook.id);
    }
    const [accepted, rejected] = await eventually(
      () => listsDeliveries(ann, organization, webhook.id),
      (all) => all.length === 2 && all[0]?.state === 'delivered',
    );
    expect([accepted, rejected]).toMatchObject([
      { state: 'delivered', attempts: 1 },
      { state: 'failed', attempts: 6, last_status: 400 },
    ]);
    rejects = false;
    await ann.post(`/webhook-deliveries/${rejected!.id}/redeliver?${of(organization)}`).expect(202);
    await until(async () =>
      (await listsDeliveries(ann, organization, webhook.id)).every((one) => one.state === 'delivered'),
    );
  });

  // red when: the limit is six days
  it('failures alone for five days turns the webhook off, and a person resumes it with the next event', async () => {
    receiver.always(500);
    const webhook = await createsWebhook(ann, organization, receiver);
    await attempted(webhook);
    await app.sql(`UPDATE webhook SET failing_since = app_now() - interval '5 days', next_at = app_now()`);
    await until(async () => (await readsWebhook(ann, organization, webhook.id)).state === 'off');
    expect(await readsWebhook(ann, organization, webhook.id)).toMatchObject({ off_reason: 'failing' });
    receiver.always(200);
    await ann.post(`/webhooks/${webhook.id}/resume?${of(organization)}`, { from: 'now' }).expect(200);
    await ann.createsProject(organization, 'After');
    await until(async () => (await listsDeliveries(ann, organization, webhook.id, 'delivered')).length === 1);
    expect(await listsDeliveries(ann, organization, webhook.id, 'failed')).toHaveLength(1);
  });

  it('a body without an end is cut off after a kilobyte', async () => {
    let sent = 0;
    receiver.answer = (response) => {
      response.writeHead(200, { 'Content-Length': String(1024 ** 3) });
      const more = (): void => {
        while (!response.destroyed && sent < 64 * 1024 ** 2 && response.write(Buffer.alloc(65_536, 'x')))
          sent += 65_536;
      };
      response.on('drain', more).on('error', () => undefined);
      more();
    };
    const webhook = await createsWebhook(ann, organization, receiver);
    expect(await attempted(webhook)).toMatchObject({ state: 'delivered', last_status: 200 });
    expect(sent).toBeLessThan(64 * 1024 ** 2);
  });

  it('a closed connection is tried again', async () => {
    const server: TcpServer = createTcpServer((socket) => void socket.destroy()).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    const webhook = await createsWebhook(ann, organization, { url: `http://127.0.0.1:${port}/` });
    expect(await attempted(webhook)).toMatchObject({ state: 'pending', last_error: 'connection' });
    server.close();
  });

  // red when: `plainRequest` has no listener of `upgrade`; the slot of the job is then occupied until the process ends
  it('101 is a failure, and the endpoint gets the next attempt', async () => {
    const server = await startRawServer((socket) =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n'),
    );
    const webhook = await createsWebhook(ann, organization, server);
    expect(await attempted(webhook)).toMatchObject({ state: 'pending', last_status: 101, last_error: 'status' });
    await isDueNow(app, webhook.id);
    // A third attempt follows within five minutes.
    await until(async () => ((await listsDeliveries(ann, organization, webhook.id))[0]?.attempts ?? 0) >= 2);
    server.close();
  });

  // red when: a part that arrives begins the time again, or silence ends an attempt only after the timeout of stores
  it('silence, headers or a body that drip are a timeout 15 seconds after the start', async () => {
    const silent = await startSilentServer();
    const drip = (start: string, part: string) =>
      startRawServer((socket) => {
        socket.write(start);
        const timer = setInterval(() => socket.write(part), 500);
        socket.once('close', () => clearInterval(timer));
      });
    const servers = [
      await drip('HTTP/1.1 200 OK\r\n', 'X-More: 1\r\n'),
      await drip('HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n', 'x'),
    ];
    const urls = [{ url: `http://${silent.host}/` }, ...servers];
    const webhooks = await Promise.all(urls.map((url) => createsWebhook(ann, organization, url)));
    await ann.createsProject(organization);
    for (const { id } of webhooks) {
      // A pause of a busy machine lengthens an attempt, which is repeated then. The timeout of stores is 20 seconds.
      const delivery = await eventually(
        async () => {
          const [first] = await listsDeliveries(ann, organization, id);
          if (Number(first?.['last_ms']) >= 18_000) await isDueNow(app, id);
          return first;
        },
        (first) => (first?.attempts ?? 0) > 0 && Number(first?.['last_ms']) < 18_000,
      );
      expect(delivery).toMatchObject({ state: 'pending', last_error: 'timeout', last_status: null });
      expect(delivery!['last_ms']).toBeGreaterThanOrEqual(14_000);
    }
    for (const server of servers) server.close();
    await silent.stop();
  });
});
