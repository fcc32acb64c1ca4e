import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { newWebhookSecret, signedHeaders } from '../../src/modules/webhooks/sending/signature';
import { takeFreePort } from '../support/processes/free-port';
import { until } from '../support/until';

const EXAMPLES = path.resolve(__dirname, '../../docs/examples/webhooks');
const ID = 'evt_019a9d5e-7c1a-7b3e-9c55-0c8f4a6b2d10';

interface Receiver {
  readonly name: string;
  readonly command: (port: number, folder: string) => readonly string[];
  readonly path?: string;
  /** The status for a message that is not genuine. */
  readonly rejection: number;
}

/** Debian's `webhook`, which runs the script of the documentation. */
function debiansWebhook(port: number, folder: string): readonly string[] {
  const script = path.join(folder, 'on-event.sh');
  copyFileSync(path.join(EXAMPLES, 'on-event.sh'), script);
  const hooks = readFileSync(path.join(EXAMPLES, 'hooks.json'), 'utf8').replace('/etc/webhook/on-event.sh', script);
  writeFileSync(path.join(folder, 'hooks.json'), hooks);
  return ['webhook', '-hooks', path.join(folder, 'hooks.json'), '-ip', '127.0.0.1', '-port', String(port)];
}

const RECEIVERS: readonly Receiver[] = [
  { name: 'receiver.mjs', command: () => ['node', path.join(EXAMPLES, 'receiver.mjs')], rejection: 401 },
  { name: 'receiver.py', command: () => ['python3', path.join(EXAMPLES, 'receiver.py')], rejection: 401 },
  { name: 'receiver.rb', command: () => ['ruby', path.join(EXAMPLES, 'receiver.rb')], rejection: 401 },
  {
    name: 'receiver.php',
    command: (port) => ['php', '-S', `127.0.0.1:${port}`, path.join(EXAMPLES, 'receiver.php')],
    rejection: 401,
  },
  { name: "Debian's webhook", command: debiansWebhook, path: '/hooks/agate', rejection: 500 },
];

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = createConnection(port, '127.0.0.1', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('close', () => socket.destroy());
    socket.once('connect', () => socket.end());
  });

// red when: the signature covers the body alone, or a receiver of the documentation does not check one of the parts
describe.each(RECEIVERS)('$name of the documentation', ({ command, path: hook = '/', rejection }) => {
  const secret = newWebhookSecret();
  let folder: string;
  let child: ChildProcess;
  let port: number;
  let output = '';

  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'agate-receiver-'));
    port = await takeFreePort();
    const [program = '', ...args] = command(port, folder);
    child = spawn(program, args, {
      env: {
        PATH: process.env['PATH'],
        HOME: process.env['HOME'],
        WEBHOOK_SECRET: secret,
        PORT: String(port),
        EVENTS_FILE: path.join(folder, 'events'),
      },
    });
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (text: Buffer) => (output += text.toString()));
    await until(() => accepts(port));
  });
  afterAll(async () => {
    const ended = new Promise((resolve) => child.once('close', resolve));
    child.kill();
    await ended;
    rmSync(folder, { recursive: true });
  });

  interface Changes {
    readonly secrets?: readonly string[];
    readonly ageSeconds?: number;
    readonly sent?: string;
    readonly headers?: Readonly<Record<string, string>>;
  }
  const body = JSON.stringify({
    id: ID,
    type: 'build.uploaded',
    data: { build: { notes: 'Ümläut "quoted" $(id) 😀' } },
  });

  async function post({
    secrets = [secret],
    ageSeconds = 0,
    sent = body,
    headers = {},
  }: Changes = {}): Promise<number> {
    const timestamp = Math.floor(Date.now() / 1000) - ageSeconds;
    const signed = signedHeaders({ id: ID, timestamp, body: Buffer.from(body) }, secrets);
    const response = await fetch(`http://127.0.0.1:${port}${hook}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...signed, ...headers },
      body: sent,
    });
    return response.status;
  }
  const events = (): string => {
    try {
      return readFileSync(path.join(folder, 'events'), 'utf8');
    } catch {
      return output;
    }
  };

  it('accepts a message that the service signed, also with the second of two secrets', async () => {
    expect(await post()).toBeLessThan(300);
    expect(await post({ secrets: [newWebhookSecret(), secret] })).toBeLessThan(300);
    await until(() => events().split(`${ID} build.uploaded`).length === 3);
  });

  it.each<readonly [string, Changes]>([
    ['signed with another secret', { secrets: [newWebhookSecret()] }],
    ['whose body was changed', { sent: body.replace('uploaded', 'deleted') }],
    ['whose id was changed', { headers: { 'webhook-id': 'evt_other' } }],
    ['that is six minutes old', { ageSeconds: 360 }],
    ['from the future', { ageSeconds: -360 }],
    ['with a time that a shell would run', { headers: { 'webhook-timestamp': 'a[$(touch /tmp/agate-run)]' } }],
    ['without a signature', { headers: { 'webhook-signature': '' } }],
  ])('rejects a message %s', async (_, changes) => {
    expect(await post(changes)).toBe(rejection);
  });
});

describe('The script of the documentation', () => {
  it('has no fault that a shell finds', () => {
    expect(() => execFileSync('sh', ['-n', path.join(EXAMPLES, 'on-event.sh')])).not.toThrow();
  });
});
