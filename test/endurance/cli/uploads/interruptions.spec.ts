import { randomBytes } from 'node:crypto';
import { type BuildJson, scope } from '../../../support/actors/actors';
import { type CliRun } from '../../../support/cli/agate-cli';
import { type CliProject, startCliProject } from '../../../support/cli/cli-project';
import { ServiceProxy } from '../../../support/servers/proxies/service-proxy';
import { until } from '../../../support/until';

/** Two parts. */
const FILE = randomBytes(9_000_000);
const UPLOAD = ['upload', 'tool.zip', '--platform', 'linux', '--json', '--no-ci-metadata', '--version'];

interface UploadedJson extends BuildJson {
  readonly resumed: boolean;
  readonly sent_bytes: number;
}

describe('An upload that is interrupted by Ctrl-C', () => {
  let stage: CliProject;
  let proxy: ServiceProxy;
  beforeAll(async () => {
    proxy = await ServiceProxy.start(() => stage.app.url);
    stage = await startCliProject({ environment: { BASE_URL: proxy.url } });
    stage.cli.write('tool.zip', FILE);
  });
  afterEach(() => (proxy.answers = () => undefined));
  afterAll(async () => {
    await stage.stop();
    proxy.stop();
  });
  const environment = (): Record<string, string> => ({ AGATE_URL: proxy.url });
  const uploads = async (): Promise<{ id: string; arrived_bytes: number | null }[]> => {
    const { ann, project } = stage;
    const { body } = await ann.get(`/builds/uploads?${scope(project)}`).expect(200);
    return (body as { items: { id: string; arrived_bytes: number | null }[] }).items;
  };
  /** A run of which one part has arrived and the other does not. */
  async function halfSent(...args: string[]): Promise<CliRun> {
    let last: string | undefined;
    proxy.answers = ({ method, path }) => {
      if (method !== 'PUT') return undefined;
      last ??= path;
      return path === last ? 'silence' : undefined;
    };
    const run = stage.cli.start([...UPLOAD, ...args], { environment: environment() });
    await until(async () => ((await uploads())[0]?.arrived_bytes ?? 0) > 0);
    return run;
  }

  it('says so, ends with code 130, and the next run sends the rest', async () => {
    const run = await halfSent('1');
    run.child.kill('SIGINT');
    const { code, json, stderr } = await run.ended;
    expect({ code, stderr }).toMatchObject({ code: 130 });
    expect(json()).toMatchObject({
      error: 'interrupted',
      message: 'Interrupted. What was sent of tool.zip is kept for a day. Run the same command to continue.',
    });

    proxy.answers = () => undefined;
    const again = await stage.cli.run([...UPLOAD, '1'], { environment: environment() });
    expect(again.stderr).toContain('Resuming: 1 of 2 parts have arrived.');
    const build = again.json<UploadedJson>();
    expect(build).toMatchObject({ resumed: true, size_bytes: FILE.length });
    expect(build.sent_bytes).toBeLessThan(FILE.length);
  });

  it('is dropped at the service with --drop', async () => {
    const run = await halfSent('2', '--drop');
    expect(await uploads()).toHaveLength(1);
    run.child.kill('SIGINT');
    const { code, json, stderr } = await run.ended;
    expect({ code, stderr }).toMatchObject({ code: 130 });
    expect(json()).toMatchObject({ message: 'Interrupted. The upload of tool.zip was dropped.' });
    expect(await uploads()).toEqual([]);
  });

  it('ends immediately at the second Ctrl-C, when the service does not respond either', async () => {
    const run = await halfSent('3', '--drop');
    proxy.answers = () => 'silence';
    run.child.kill('SIGINT');
    await until(() => proxy.seen.some(({ method }) => method === 'DELETE'));
    run.child.kill('SIGINT');
    expect(await run.ended).toMatchObject({ code: 130 });
  });
});
