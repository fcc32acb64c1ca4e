import { randomBytes } from 'node:crypto';
import { createServer, request, type Server } from 'node:http';
import { findFreePort } from '#infra/database/embedded/free-port';
import { type Developer, type ProjectRef, scope } from '../../support/actors/actors';
import { type UploadJson } from '../../support/actors/resumable-client';
import { verifiedDeveloper } from '../../support/actors/tenant';
import { type TestApp } from '../../support/app/test-app';
import { AgateCli } from '../../support/cli/agate-cli';
import { startReachableApp } from '../../support/app/reachable-app';
import { until } from '../../support/until';

const PARALLEL = 4;
const LARGE = randomBytes(200_000_000);
const UPLOAD = ['upload', 'tool.zip', '--platform', 'linux', '--version', '1.0', '--json', '--no-ci-metadata'];

interface Uploaded {
  readonly id: string;
  readonly resumed: boolean;
  readonly replayed: boolean;
  readonly sent_bytes: number;
}

/** Forwards to the service, but resets every third connection and answers some requests with 503 and 429. */
class ChaoticProxy {
  private connections = 0;
  private requests = 0;
  isOn = false;
  readonly server: Server;

  constructor(target: () => string) {
    this.server = createServer({ keepAlive: false }, (incoming, outgoing) => {
      this.requests += 1;
      if (this.isOn && this.requests % 5 === 0) {
        incoming.resume();
        outgoing.writeHead(this.requests % 2 === 0 ? 503 : 429, { 'Retry-After': '1', Connection: 'close' });
        return void outgoing.end();
      }
      const forwarded = request(
        new URL(incoming.url ?? '/', target()),
        { method: incoming.method, headers: incoming.headers },
        (response) => {
          outgoing.writeHead(response.statusCode ?? 502, { ...response.headers, connection: 'close' });
          response.pipe(outgoing);
        },
      );
      forwarded.on('error', () => outgoing.destroy());
      incoming.on('error', () => forwarded.destroy());
      incoming.pipe(forwarded);
    });
    this.server.on('connection', (socket) => {
      this.connections += 1;
      if (this.isOn && this.connections % 3 === 0) socket.resetAndDestroy();
    });
  }
}

describe('An upload by the command line', () => {
  let app: TestApp;
  let ann: Developer;
  let project: ProjectRef;
  let token: string;
  let proxy: ChaoticProxy;
  let address: string;
  const machines: AgateCli[] = [];
  beforeAll(async () => {
    const port = await findFreePort();
    address = `http://127.0.0.1:${port}`;
    proxy = new ChaoticProxy(() => app.url);
    await new Promise<void>((resolve) => proxy.server.listen(port, '127.0.0.1', resolve));
    app = await startReachableApp({ environment: { BASE_URL: address } });
    ann = await verifiedDeveloper(app);
    project = await ann.createsProject(await ann.createsOrganization());
    token = await ann.createsToken(project, 'UPLOAD_BUILD');
  });
  afterAll(async () => {
    for (const machine of machines) machine.remove();
    proxy.server.closeAllConnections();
    proxy.server.close();
    await app.stop();
  });
  /** A machine with the file and the token, and with nothing of other machines. */
  const machine = async (content: Buffer): Promise<AgateCli> => {
    const cli = await AgateCli.create({ AGATE_URL: address, AGATE_TOKEN: token });
    cli.write('tool.zip', content);
    machines.push(cli);
    return cli;
  };
  const arrivedBytes = async (): Promise<number> => {
    const { body } = await ann.get(`/builds/uploads?${scope(project)}`).expect(200);
    return (body as { items: { arrived_bytes: number | null }[] }).items[0]?.arrived_bytes ?? 0;
  };

  it('that was killed goes on from another machine, and sends twice at most what was on its way', async () => {
    const run = (await machine(LARGE)).start(UPLOAD);
    await until(async () => (await arrivedBytes()) > LARGE.length / 2);
    run.child.kill('SIGKILL');
    await run.ended;
    const { items } = (await ann.get(`/builds/uploads?${scope(project)}`)).body as { items: UploadJson[] };
    const { part_size_bytes: partSize } = items[0]!;

    const arrived = await arrivedBytes();
    const second = await (await machine(LARGE)).run(UPLOAD);
    expect({ code: second.code, stderr: second.stderr }).toMatchObject({ code: 0 });
    expect(second.stderr).toMatch(/Resuming: \d+ of 24 parts are there\./);
    const build = second.json<Uploaded>();
    expect(build.resumed).toBe(true);
    expect(build.sent_bytes).toBeLessThanOrEqual(LARGE.length - arrived + PARALLEL * partSize);

    const third = (await (await machine(LARGE)).run(UPLOAD)).json<Uploaded>();
    expect(third).toMatchObject({ id: build.id, replayed: true, sent_bytes: 0 });
  });

  it('arrives over a network that fails, and waits as long as the service demands', async () => {
    proxy.isOn = true;
    const { code, stderr, json } = await (await machine(LARGE.subarray(0, 50_000_000))).run(UPLOAD);
    proxy.isOn = false;
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(json<Uploaded>()).toMatchObject({ replayed: false });
  });
});
