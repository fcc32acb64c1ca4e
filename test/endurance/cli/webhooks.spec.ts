import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { PAT_SCOPES } from '#kernel/access/roles';
import { apkOf } from '../../support/artifacts/app-artifacts';
import { AgateCli } from '../../support/cli/agate-cli';
import { type CliProject, startCliProject } from '../../support/cli/cli-project';
import { until } from '../../support/until';

interface Received {
  readonly headers: Record<string, string>;
  readonly body: string;
}

describe('agate webhooks', () => {
  let started: CliProject;
  let cli: AgateCli;
  let receiver: Server;
  const received: Received[] = [];
  const address = (): string => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;

  beforeAll(async () => {
    receiver = createServer((request, response) => {
      void text(request).then((body) => {
        received.push({ headers: request.headers as Record<string, string>, body });
        response.writeHead(204).end();
      });
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    started = await startCliProject({ environment: { WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' } });
    const { app, ann, organization, project } = started;
    const body = { name: 'cli', scopes: [...PAT_SCOPES] };
    const pat = (await ann.post(`/pats?organization_id=${organization.id}`, body).expect(201)).body as {
      token: string;
    };
    cli = await AgateCli.create({ AGATE_URL: app.url, AGATE_TOKEN: pat.token, AGATE_PROJECT: project.id });
  });
  afterAll(async () => {
    cli?.remove();
    await started?.stop();
    receiver.closeAllConnections();
    receiver.close();
  });

  it('creates with the password, tests, lists deliveries, sends one again, rotates the secret, and deletes', async () => {
    const { email, password } = started.ann;
    const create = ['webhooks', 'create', address(), '--name', 'CI', '--email', email];
    const created = await cli.run(create, { stdin: `${password}\n` });
    expect(created).toMatchObject({ code: 0 });
    const secret = created.stdout.trim();
    expect(await cli.run(['webhooks', 'test', 'CI'])).toMatchObject({ code: 0 });
    await until(() => received.length === 1);
    expect(new Webhook(secret).verify(received[0]!.body, received[0]!.headers)).toMatchObject({ type: 'webhook.ping' });
    await until(async () => (await cli.run(['webhooks', 'deliveries', 'CI'])).stdout.includes('delivered'));
    const [delivery] = (await cli.run(['webhooks', 'deliveries', 'CI', '--json'])).json<{ id: string }[]>();
    expect(await cli.run(['webhooks', 'redeliver', delivery!.id])).toMatchObject({ code: 0 });
    await until(() => received.length === 2);
    expect(received[1]!.body).toBe(received[0]!.body);
    expect((await cli.run(['webhooks', 'list'])).stdout).toContain('CI');
    const rotated = (await cli.run(['webhooks', 'rotate', 'CI'])).stdout.trim();
    expect(await cli.run(['webhooks', 'test', 'CI'])).toMatchObject({ code: 0 });
    await until(() => received.length === 3);
    for (const each of [secret, rotated]) new Webhook(each).verify(received[2]!.body, received[2]!.headers);
    expect(rotated).not.toBe(secret);
    expect(await cli.run(['webhooks', 'delete', 'CI', '--yes'])).toMatchObject({ code: 0 });
    expect(await cli.run(['webhooks', 'test', 'CI'])).toMatchObject({ code: 5 });
  });

  it('listens, and sends each event to a program on this machine with a signature', async () => {
    received.length = 0;
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    const run = cli.start([
      'webhooks',
      'listen',
      '--forward',
      address(),
      '--secret',
      secret,
      '--event',
      'build.uploaded',
    ]);
    await until(() => run.stderr().includes('Waiting for events'));
    const bytes = apkOf({ name: 'Rocket', bundleId: 'com.example.rocket', version: '1.0', buildNumber: 7 });
    await started.ann.uploads(started.project, { bytes, fileName: 'rocket.apk' });
    await until(() => received.length === 1);
    const event = new Webhook(secret).verify(received[0]!.body, received[0]!.headers);
    expect(event).toMatchObject({ type: 'build.uploaded', data: { build: { version: '1.0', build_number: '7' } } });
    await until(() => run.stderr().includes('build.uploaded 204'));
    run.child.kill('SIGINT');
    await run.ended;
  });
});
