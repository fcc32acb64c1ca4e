import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Developer, type ProjectRef, scope } from '../../support/actors/actors';
import { type UploadJson } from '../../support/actors/resumable-client';
import { verifiedDeveloper } from '../../support/actors/tenant';
import { startReachableApp } from '../../support/app/reachable-app';
import { type TestApp } from '../../support/app/test-app';
import { AgateCli } from '../../support/cli/agate-cli';
import { ServiceProxy } from '../../support/servers/proxies/service-proxy';
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

describe('An upload by the command line', () => {
  let app: TestApp;
  let ann: Developer;
  let project: ProjectRef;
  let token: string;
  let proxy: ServiceProxy;
  const machines: AgateCli[] = [];
  beforeAll(async () => {
    proxy = await ServiceProxy.start(() => app.url);
    app = await startReachableApp({ environment: { BASE_URL: proxy.url } });
    ann = await verifiedDeveloper(app);
    project = await ann.createsProject(await ann.createsOrganization());
    token = await ann.createsToken(project, 'UPLOAD_BUILD');
  });
  afterAll(async () => {
    for (const machine of machines) machine.remove();
    proxy.stop();
    await app.stop();
  });
  /** A machine with the file and the token, and with nothing of other machines. */
  const machine = async (content: Buffer): Promise<AgateCli> => {
    const cli = await AgateCli.create({ AGATE_URL: proxy.url, AGATE_TOKEN: token });
    cli.write('tool.zip', content);
    machines.push(cli);
    return cli;
  };
  /** Only the first parts reach the service, so that a run cannot complete its upload before it is killed. */
  const forwardsParts = (most: number): void => {
    let parts = 0;
    proxy.answers = ({ method }) => (method === 'PUT' && (parts += 1) > most ? 'silence' : undefined);
  };
  const forwardsAll = (): void => {
    proxy.answers = () => undefined;
    proxy.resets = () => false;
  };
  const arrivedBytes = async (): Promise<number> => {
    const { body } = await ann.get(`/builds/uploads?${scope(project)}`).expect(200);
    return (body as { items: { arrived_bytes: number | null }[] }).items[0]?.arrived_bytes ?? 0;
  };

  it('that was killed continues from another machine, and sends again at most the parts in transit', async () => {
    forwardsParts(14);
    const run = (await machine(LARGE)).start(UPLOAD);
    await until(async () => (await arrivedBytes()) > LARGE.length / 2);
    run.child.kill('SIGKILL');
    await run.ended;
    forwardsAll();
    const { items } = (await ann.get(`/builds/uploads?${scope(project)}`)).body as { items: UploadJson[] };
    const { part_size_bytes: partSize } = items[0]!;

    const arrived = await arrivedBytes();
    const second = await (await machine(LARGE)).run(UPLOAD);
    expect({ code: second.code, stderr: second.stderr }).toMatchObject({ code: 0 });
    expect(second.stderr).toMatch(/Resuming: \d+ of 24 parts have arrived\./);
    const build = second.json<Uploaded>();
    expect(build.resumed).toBe(true);
    expect(build.sent_bytes).toBeLessThanOrEqual(LARGE.length - arrived + PARALLEL * partSize);

    const third = (await (await machine(LARGE)).run(UPLOAD)).json<Uploaded>();
    expect(third).toMatchObject({ id: build.id, replayed: true, sent_bytes: 0 });
  });

  // red when: the run exits with 5, because the upload of the earlier run cannot be continued
  it('that the service has lost is sent again from the beginning by the same command', async () => {
    const content = randomBytes(80_000_000);
    forwardsParts(1);
    const run = (await machine(content)).start(UPLOAD);
    await until(async () => (await arrivedBytes()) > 0);
    run.child.kill('SIGKILL');
    await run.ended;
    forwardsAll();
    const { items } = (await ann.get(`/builds/uploads?${scope(project)}`)).body as { items: UploadJson[] };
    await rm(join(app.dataDirectory, `artifacts/.parts/builds/${items[0]!.id}.parts`), { recursive: true });

    const second = await (await machine(content)).run(UPLOAD);
    expect({ code: second.code, stderr: second.stderr }).toMatchObject({ code: 0 });
    expect(
      second.stderr.match(/The service no longer has what was sent of tool\.zip\. Starting a new upload\./g),
    ).toHaveLength(1);
    expect(second.json<Uploaded>()).toMatchObject({ resumed: false, replayed: false });
    expect((await ann.get(`/builds/uploads?${scope(project)}`)).body).toMatchObject({ items: [] });
  });

  it('arrives over a network that fails', async () => {
    let requests = 0;
    proxy.answers = () => {
      requests += 1;
      if (requests % 5 !== 0) return undefined;
      return { status: requests % 2 === 0 ? 503 : 429, headers: { 'Retry-After': '1' } };
    };
    proxy.resets = (connection) => connection % 3 === 0;
    const { code, stderr, json } = await (await machine(LARGE.subarray(0, 50_000_000))).run(UPLOAD);
    forwardsAll();
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(json<Uploaded>()).toMatchObject({ replayed: false });
  });
});
