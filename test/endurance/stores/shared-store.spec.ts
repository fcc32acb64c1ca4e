import { OperatorCommands } from '#modules/operators';
import { StorageService } from '#modules/storage';
import { operatorProgram } from '#app/cli/operator-program';
import { type BuildJson } from '../../support/actors/actors';
import { TestApp } from '../../support/app/test-app';
import { type Fault, type SeenRequest } from '../../support/servers/proxies/faulty-proxy';
import { type CloudPlace, onAzure, onS3 } from '../../support/servers/stores/cloud-places';
import { until } from '../../support/until';

const MAC = { platform: 'macos', version: '1' };

/** A staging installation that is configured with the production bucket must not delete production's artifacts. */
describe.each([
  ['s3', onS3],
  ['azure', onAzure],
])('two installations with one hosted store on %s', (_name, start) => {
  let place: CloudPlace;
  let production: TestApp;
  let staging: TestApp;
  let build: BuildJson;
  beforeAll(async () => {
    place = await start();
    [production, staging] = await Promise.all([
      TestApp.start({ environment: place.environment }),
      TestApp.start({ environment: place.environment }),
    ]);
    const ann = await production.developer();
    const project = await ann.createsProject(await ann.createsOrganization());
    build = await ann.uploads(project, { bytes: Buffer.from('production'), fileName: 'a.dmg' }, MAC);
    for (const app of [production, staging]) await app.runsJob('storage.sign');
    for (const app of [production, staging]) await app.clock.advance({ hours: 25 });
  });
  afterAll(async () => {
    await production.stop();
    await staging.stop();
    await place.proxy.stop();
  });

  const run = async (app: TestApp, ...words: string[]): Promise<{ status: number; out: string; err: string }> => {
    let [out, err] = ['', ''];
    const io = {
      out: (text: string) => (out += text),
      err: (text: string) => (err += text),
      ask: (): null => null,
      showsProgress: false,
    };
    const commands = app.nest.get(OperatorCommands, { strict: false }).all;
    return { status: await operatorProgram(commands, app.clock, { io }).run(words), out, err };
  };
  const keys = async (): Promise<string[]> => {
    const found = [];
    const store = await production.nest
      .get(StorageService, { strict: false })
      .storeOf(production.systemContext, 'hosted');
    for await (const { key } of store.list('builds/')) found.push(key);
    return found;
  };

  // red when: the command ignores markers, or all databases write the same marker
  it.each([['--yes'], ['--dry-run']])(
    'reject blobs clean %s, so that no artifact of the other is deleted',
    async (flag) => {
      for (const app of [production, staging]) {
        const rejected = await run(app, 'blobs', 'clean', flag, '--json');
        expect([rejected.status, JSON.parse(rejected.err)]).toMatchObject([
          1,
          { error: 'operation_not_allowed', details: { reason: 'shared_store' } },
        ]);
        await app.runsJob('storage.sweep-temporary');
      }
      expect(await keys()).toHaveLength(1);
    },
  );

  it('are reported by blobs check', async () => {
    const { status, out } = await run(production, 'blobs', 'check', '--json');
    expect([status, JSON.parse(out)]).toMatchObject([
      1,
      [{ fault: 'another installation', key: expect.stringMatching(/^installations\//) as string }],
    ]);
  });

  // red when: the option is ignored, or the content is not compared
  it('have damaged artifacts that blobs check --verify finds', async () => {
    const damages = (request: SeenRequest): Fault | undefined =>
      request.method === 'GET' && request.url.pathname.includes('/builds/')
        ? {
            kind: 'hostile',
            serve: (response, { status, headers }) => void response.writeHead(status, headers).end('Production'),
          }
        : undefined;
    place.proxy.fault = damages;
    const found = await run(production, 'blobs', 'check', '--verify', '--json');
    place.proxy.fault = () => undefined;
    expect(found.status).toBe(1);
    expect(JSON.parse(found.out)).toContainEqual({
      fault: 'damaged artifact',
      key: (await keys())[0],
      size_bytes: null,
      build_id: build.id,
    });
    const intact = await run(production, 'blobs', 'check', '--verify', '--json');
    expect(intact.out).not.toContain('damaged artifact');
  });

  it('permit blobs clean --alone for one, until the other writes its marker again', async () => {
    expect(await run(production, 'blobs', 'clean', '--alone', '--yes')).toMatchObject({ status: 0 });
    expect(await run(production, 'blobs', 'check')).toMatchObject({ status: 0, out: 'None.\n' });
    expect(await run(production, 'blobs', 'clean', '--yes')).toMatchObject({ status: 0 });
    expect(await keys()).toHaveLength(1);

    await staging.runsJob('storage.sign');
    expect(await run(production, 'blobs', 'clean', '--yes')).toMatchObject({ status: 1 });
    // With --alone, staging deletes the artifact of production, which is an orphan for it.
    expect(await run(staging, 'blobs', 'clean', '--alone', '--yes')).toMatchObject({ status: 0 });
    await until(async () => (await keys()).length === 0);
    expect(build.size_bytes).toBe(10);
  });
});
