import { mkdirSync } from 'node:fs';
import { type BuildJson, scope } from '../../../support/actors/actors';
import { apk, ipa } from '../../../support/artifacts/valid-artifacts';
import { type CliProject, startCliProject } from '../../../support/cli/cli-project';

interface UploadJson extends BuildJson {
  readonly file_name: string;
  readonly notes: string | null;
  readonly source: { branch: string | null; commit: string | null; ci_url: string | null };
  readonly releases: { channel: string; release_id: string; install_url: string }[];
  readonly resumed: boolean;
  readonly replayed: boolean;
  readonly sent_bytes: number;
}

describe('agate upload', () => {
  let stage: CliProject;
  let { app, ann, project, beta, token, cli } = {} as CliProject;
  beforeAll(async () => {
    stage = await startCliProject();
    ({ app, ann, project, beta, token, cli } = stage);
    cli.write('app.apk', apk());
  });
  afterAll(() => stage.stop());
  const builds = async (): Promise<BuildJson[]> =>
    ((await ann.get(`/builds?${scope(project)}`).expect(200)).body as { items: BuildJson[] }).items;
  const uploads = async (...args: string[]): Promise<UploadJson> => {
    const { code, stderr, json } = await cli.run(['upload', '--json', ...args]);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    return json<UploadJson>();
  };

  it('prints one JSON document, and the token is neither in it nor on standard error', async () => {
    const notes = 'Tap *twice*.';
    // The second build of the same bytes has a warning.
    await ann.uploads(project, { bytes: apk(), fileName: 'app.apk' });
    const run = cli.start([
      'upload',
      'app.apk',
      '--json',
      '--debug',
      '--notes',
      notes,
      '--fail-on-warning',
      'none_such',
    ]);
    expect(run.child.spawnargs.join(' ')).not.toContain(token);
    const { code, json, stdout, stderr } = await run.ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('Sending app.apk') as string });
    const build = json<UploadJson>();
    const [stored] = await builds();
    expect(build).toMatchObject({
      id: stored?.id,
      platform: 'android',
      notes,
      resumed: false,
      replayed: false,
      releases: [],
    });
    expect(build.sent_bytes).toBe(build.size_bytes);
    expect(build.warnings.length).toBeGreaterThan(0);
    for (const { code: warning } of build.warnings) expect(stderr).toContain(warning);
    for (const text of [stdout, stderr]) expect(text).not.toContain(token.slice(0, 12));
  });

  it('prints only the install link without --json', async () => {
    const { stdout } = await cli.run(['upload', 'app.apk', '--quiet', '--notes', 'Quiet']);
    const [build] = await builds();
    expect(stdout).toBe(`${build?.install_url}\n`);
  });

  it('sends nothing when an earlier run has uploaded the file, also from another folder', async () => {
    const first = await uploads('app.apk', '--notes', 'Once');
    const copy = cli.write('elsewhere/app.apk', apk());
    const again = await uploads(copy, '--notes', 'Once');
    expect(again).toMatchObject({ id: first.id, replayed: true, sent_bytes: 0 });
    const other = await uploads('app.apk', '--notes', 'Once', '--new');
    expect(other).toMatchObject({ replayed: false });
    expect(other.id).not.toBe(first.id);
  });

  it('makes another build when the earlier one was deleted', async () => {
    const first = await uploads('app.apk', '--notes', 'Deleted');
    await ann.delete(`/builds/${first.id}?${scope(project)}&permanently=true`).expect(204);
    expect(await uploads('app.apk', '--notes', 'Deleted')).toMatchObject({ replayed: false });
  });

  it('promotes to channels by name, and not again when it is repeated', async () => {
    const gamma = await ann.createsChannel(project, 'Gamma');
    const args = ['app.apk', '--channel', 'beta', '--channel', gamma.id, '--notes', 'Promoted'];
    const { releases, ...build } = await uploads(...args);
    expect(releases).toEqual([
      { channel: 'Beta', release_id: expect.any(String) as string, install_url: beta.install_url },
      { channel: 'Gamma', release_id: expect.any(String) as string, install_url: gamma.install_url },
    ]);
    expect(await uploads(...args)).toMatchObject({ id: build.id, replayed: true, releases });
  });

  it('takes options from variables and .agate.json, and ignores empty variables', async () => {
    cli.write('configured/.agate.json', JSON.stringify({ channel: ['Beta'], parallel: 2 }));
    const { code, json } = await cli.run(['upload', '../app.apk'], {
      cwd: `${cli.work}/configured`,
      environment: {
        AGATE_JSON: 'true',
        AGATE_NOTES: 'From a variable',
        AGATE_CHANNEL: '',
        AGATE_DEBUG: 'false',
        AGATE_QR: '',
        AGATE_BRANCH: 'main',
      },
    });
    expect(code).toBe(0);
    expect(json<UploadJson>()).toMatchObject({
      notes: 'From a variable',
      source: { branch: 'main' },
      releases: [{ channel: 'Beta' }],
    });
  });

  it('uploads several files, and the outputs of an Android build', async () => {
    cli.write('release/app-a.apk', apk({ versionCode: 2 }));
    cli.write('release/app-b.apk', apk({ versionCode: 3 }));
    cli.write('release/output-metadata.json', JSON.stringify({ elements: [{ outputFile: 'app-a.apk' }] }));
    cli.write('Demo.ipa', ipa());
    const { code, json, stdout } = await cli.run(['upload', '--json', 'release', 'Demo.ipa']);
    expect({ code, stdout }).toMatchObject({ code: 0 });
    expect(json<UploadJson[]>().map((build) => build.file_name)).toEqual(['app-a.apk', 'Demo.ipa']);
  });

  it('reads notes from standard input, and cuts them to what the service accepts', async () => {
    const { code, json, stderr } = await cli.run(['upload', 'app.apk', '--json', '--notes-file', '-'], {
      stdin: 'é'.repeat(5_001),
    });
    expect(code).toBe(0);
    expect(json<UploadJson>().notes).toBe('é'.repeat(5_000));
    expect(stderr).toContain('They are cut to 5000.');
  });

  it('fails after the upload when the build has a warning or cannot be installed, if that is demanded', async () => {
    const warned = await cli.run(['upload', 'app.apk', '--json', '--fail-on-warning', '--new']);
    expect(warned.code).toBe(3);
    expect(warned.json()).toMatchObject({ error: 'warnings', details: { builds: [{ platform: 'android' }] } });
    cli.write('tool.zip', 'not an app');
    const other = ['upload', 'tool.zip', '--platform', 'linux', '--version', '1.0'];
    expect(await cli.run(other)).toMatchObject({ code: 0 });
  });

  describe('does not send anything and exits with code 2', () => {
    beforeAll(() => {
      mkdirSync(`${cli.work}/nothing`);
      cli.write('empty.apk', '');
      cli.write('disk.dmg', 'any');
      cli.write('broken/.agate.json', JSON.stringify({ token: 'ag_prj_secret' }));
    });

    it.each([
      ['an option does not exist', ['app.apk', '--notez', 'x'], /--notez.*Did you mean --notes\?/],
      ['two options conflict', ['app.apk', '--notes', 'x', '--notes-file', 'y'], /--notes-file.*--notes/],
      ['a file does not exist', ['missing.apk'], /missing\.apk/],
      ['a file is empty', ['empty.apk'], /empty\.apk is empty/],
      ['a folder contains no build', ['nothing'], /contains no \.ipa, \.apk or \.aab/],
      ['there is no file', [], /missing required argument 'file'/i],
      ['a file needs facts', ['disk.dmg'], /Use --version and --platform/],
      ['a number is out of range', ['app.apk', '--parallel', '99'], /from 1 to 16/],
      ['a file follows an option that takes a value', ['--fail-on-warning', 'app.apk'], /Write the files before/],
      ['a duration is none', ['app.apk', '--retry-for', 'soon'], /duration such as/],
      ['the address is none', ['app.apk', '--url', 'agate.example.com'], /is not the address of a service/],
      ['the project file contains a token', ['../app.apk'], /Remove it and set the variable AGATE_TOKEN/, 'broken'],
    ])('when %s', async (_case, args, message, folder = '.') => {
      const before = app.logLines.length;
      const { code, json, stderr } = await cli.run(['upload', '--json', ...args], { cwd: `${cli.work}/${folder}` });
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(message) as string });
      expect(json()).toEqual({ error: 'usage', message: expect.stringMatching(message) as string, details: {} });
      expect(app.logLines.slice(before).filter((line) => line.includes('/builds'))).toEqual([]);
    });
  });
});
