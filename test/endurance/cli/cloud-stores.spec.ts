import { createHash, randomBytes } from 'node:crypto';
import { type BuildJson, scope } from '../../support/actors/actors';
import { AgateCli } from '../../support/cli/agate-cli';
import { type CliProject, startCliProject } from '../../support/cli/cli-project';
import { type FaultyProxy } from '../../support/servers/proxies/faulty-proxy';
import { type CloudPlace, isPart, onAzure, onS3 } from '../../support/servers/stores/cloud-places';
import { S3Server } from '../../support/servers/stores/s3-server';
import { until } from '../../support/until';

type Request = Parameters<FaultyProxy['fault']>[0];

const FILE = randomBytes(30_000_000);
const sha256 = createHash('sha256').update(FILE).digest('hex');
const UPLOAD = ['upload', 'tool.zip', '--platform', 'linux', '--json', '--no-ci-metadata', '--version'];
const LIFE_OF_ADDRESSES_MS = 31 * 60_000;

/** The part that a request sends. */
const partOf = ({ url: { searchParams: query } }: Request): string =>
  query.get('partNumber') ?? query.get('blockid') ?? '';

describe.each([
  ['S3', onS3],
  ['Azure', onAzure],
])('An upload by the command line to %s', (_store, start) => {
  let place: CloudPlace;
  let stage: CliProject;
  beforeAll(async () => {
    place = await start();
    stage = await startCliProject({ environment: place.environment });
    stage.cli.write('tool.zip', FILE);
  });
  afterEach(() => (place.proxy.fault = () => undefined));
  afterAll(async () => {
    await stage.stop();
    await place.proxy.stop();
  });
  /** The build has the bytes of the file, as a tester gets them. */
  const isWhole = async ({ id }: { readonly id: string }): Promise<void> => {
    const { ann, project } = stage;
    const { body } = await ann.get(`/builds/${id}?${scope(project)}`).expect(200);
    expect(body).toMatchObject({ sha256, size_bytes: FILE.length });
  };

  it('sends the parts to the store, not to the service', async () => {
    const { code, stderr, json } = await stage.cli.run([...UPLOAD, '1', '--debug']);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    await isWhole(json<BuildJson>());
    const sent = stderr.split('\n').filter((line) => line.includes('PUT '));
    expect(sent.length).toBeGreaterThan(2);
    for (const line of sent) expect(line).toContain(place.proxy.url);
  });

  // red when: an expired address is used again, or ends the upload
  it('gets new addresses for parts whose addresses have expired', async () => {
    const tried = new Set<string>();
    const { proxy } = place;
    proxy.fault = (request) => {
      const isFirst = isPart(request) && !tried.has(partOf(request));
      if (isFirst) tried.add(partOf(request));
      // The clock of S3 decides whether an address has expired.
      if (proxy instanceof S3Server) proxy.skewMs = isFirst ? LIFE_OF_ADDRESSES_MS : 0;
      else if (isFirst) return { kind: 'error', status: 403, code: 'AuthenticationFailed' };
      return undefined;
    };
    const { code, stderr, json } = await stage.cli.run([...UPLOAD, '2', '--debug']);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    await isWhole(json<BuildJson>());
    const count = (pattern: RegExp): number => stderr.match(pattern)?.length ?? 0;
    expect(count(/PUT \S+ 403/g)).toBe(tried.size);
    expect(count(/POST \S+\/part-urls \S* ?200/g)).toBeGreaterThan(1);
  });

  it('continues from another machine after it was killed', async () => {
    const { ann, project, app, token } = stage;
    let parts = 0;
    // The first part arrives, the others do not.
    place.proxy.fault = (request) => (isPart(request) && (parts += 1) > 1 ? { kind: 'silence' } : undefined);
    const run = stage.cli.start([...UPLOAD, '3']);
    await until(async () => {
      const { body } = await ann.get(`/builds/uploads?${scope(project)}`).expect(200);
      return ((body as { items: { arrived_bytes: number | null }[] }).items[0]?.arrived_bytes ?? 0) > 0;
    });
    run.child.kill('SIGKILL');
    await run.ended;
    place.proxy.fault = () => undefined;

    const other = await AgateCli.create({ AGATE_URL: app.url, AGATE_TOKEN: token });
    other.write('tool.zip', FILE);
    const { code, stderr, json } = await other.run([...UPLOAD, '3']);
    other.remove();
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('Resuming: 1 of') as string });
    await isWhole(json<BuildJson>());
  });
});
