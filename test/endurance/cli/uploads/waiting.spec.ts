import { randomBytes } from 'node:crypto';
import { type Developer, type ProjectRef, scope } from '../../../support/actors/actors';
import { type CliProject, startCliProject } from '../../../support/cli/cli-project';
import { type Answer, type ProxiedRequest, ServiceProxy } from '../../../support/servers/proxies/service-proxy';

/** Two parts. */
const FILE = randomBytes(9_000_000);
const UPLOAD = ['upload', 'tool.zip', '--platform', 'linux', '--json', '--no-ci-metadata'];
/** More than a busy machine needs for a request, and much less than the default of `--retry-for`. */
const DELAY_MS = 60_000;

interface UploadedJson {
  readonly resumed: boolean;
  readonly sha256: string;
}

/** Answers the first `times` requests that are equal in method and path. */
function refusing(times: number, answer: Answer, concerns: (request: ProxiedRequest) => boolean = () => true) {
  const counts = new Map<string, number>();
  return (request: ProxiedRequest): Answer | undefined => {
    const count = (counts.get(nameOf(request)) ?? 0) + 1;
    counts.set(nameOf(request), count);
    return count <= times && concerns(request) ? answer : undefined;
  };
}

const nameOf = ({ method, path }: ProxiedRequest): string => `${method} ${path}`;
const isPart = ({ method }: ProxiedRequest): boolean => method === 'PUT';
const isStart = ({ method, path }: ProxiedRequest): boolean => method === 'POST' && path.endsWith('/builds/uploads');
const after = (seconds: number): { headers: Record<string, string> } => ({ headers: { 'Retry-After': `${seconds}` } });

describe('An upload by the command line', () => {
  let stage: CliProject;
  let { ann, project, cli } = {} as CliProject;
  let proxy: ServiceProxy;
  beforeAll(async () => {
    proxy = await ServiceProxy.start(() => stage.app.url);
    stage = await startCliProject({ environment: { BASE_URL: proxy.url } });
    ({ ann, project, cli } = stage);
    cli.write('tool.zip', FILE);
  });
  beforeEach(() => {
    proxy.answers = () => undefined;
    proxy.seen.length = 0;
  });
  afterAll(async () => {
    await stage.stop();
    proxy.stop();
  });
  const runs = (version: string, ...args: string[]) =>
    cli.run([...UPLOAD, '--version', version, ...args], { environment: { AGATE_URL: proxy.url } });

  it.each([503, 429])(
    'repeats a request after a response %d, not before the time that the response demands',
    async (status) => {
      proxy.answers = refusing(1, { status, ...after(1) }, (request) => isStart(request) || isPart(request));
      const { code, stderr } = await runs(`1.${status}`);
      expect({ code, stderr }).toMatchObject({ code: 0 });
      const attempts = proxy.seen.filter((request) => isStart(request) || isPart(request));
      const names = new Set(attempts.map(nameOf));
      expect(names.size).toBe(3);
      for (const name of names) {
        const [first, second, ...more] = attempts.filter((request) => nameOf(request) === name);
        expect(more).toEqual([]);
        expect(second!.at - first!.at).toBeGreaterThanOrEqual(1_000);
        expect(second!.headers['idempotency-key']).toBe(first!.headers['idempotency-key']);
      }
    },
  );

  it('ends with code 7 when the parts are refused until --retry-for is over, and the next run sends the rest', async () => {
    let last = '';
    // One part arrives, the other never does.
    proxy.answers = (request) => {
      if (!isPart(request)) return undefined;
      last ||= request.path;
      return request.path === last ? { status: 503, ...after(1) } : undefined;
    };
    // Long enough for a second attempt on a machine that pauses.
    const refused = await runs('2', '--retry-for', '20s');
    expect({ code: refused.code, stderr: refused.stderr }).toMatchObject({ code: 7 });
    expect(refused.json()).toMatchObject({ error: expect.any(String) as string, details: { status: 503 } });
    const times = proxy.seen.filter(({ path }) => path === last).map(({ at }) => at);
    expect(times.length).toBeGreaterThan(1);
    expect(times.at(-1)! - times[0]!).toBeLessThan(DELAY_MS);

    proxy.answers = () => undefined;
    const again = await runs('2');
    expect(again.stderr).toContain('Resuming: 1 of 2 parts have arrived.');
    expect(again.json<UploadedJson>()).toMatchObject({ resumed: true });
  });

  it('ends immediately with code 7 when the response demands a longer time than --retry-for', async () => {
    proxy.answers = () => ({ status: 429, ...after(600) });
    const { code, json } = await runs('3', '--retry-for', '30s');
    expect(code).toBe(7);
    expect(json()).toMatchObject({ details: { status: 429 } });
    expect(proxy.seen).toHaveLength(1);
  });

  it('ends with code 1 when the service is broken, and names the request', async () => {
    const body = JSON.stringify({ error: 'internal', message: 'Something is broken. Send the request id.' });
    proxy.answers = () => ({ status: 500, headers: { 'Content-Type': 'application/json' }, body });
    const { code, json, stderr } = await runs('4', '--retry-for', '0s');
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('Something is broken') as string });
    expect(json()).toMatchObject({ error: 'internal', details: { status: 500 } });
    expect(await uploads(ann, project)).toEqual([]);
  });

  it('ends with code 1 when another program than the service responds', async () => {
    proxy.answers = () => ({ status: 200, headers: { 'Content-Type': 'text/html' }, body: '<h1>Welcome</h1>' });
    const { code, json } = await runs('5');
    expect({ code, document: json() }).toMatchObject({ code: 1 });
  });
});

async function uploads(ann: Developer, project: ProjectRef): Promise<object[]> {
  return ((await ann.get(`/builds/uploads?${scope(project)}`).expect(200)).body as { items: object[] }).items;
}
