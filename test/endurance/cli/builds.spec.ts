import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildJson, scope } from '../../support/actors/actors';
import { apk } from '../../support/artifacts/valid-artifacts';
import { type CliResult } from '../../support/cli/agate-cli';
import { type CliProject, startCliProject } from '../../support/cli/cli-project';
import { ServiceProxy } from '../../support/servers/proxies/service-proxy';

const OLD = 'a'.repeat(40);
const NEW = 'b'.repeat(40);
const JSON_BODY = { 'content-type': 'application/json' };

describe('The commands for builds', () => {
  let stage: CliProject;
  let { ann, project, beta, cli } = {} as CliProject;
  let older: BuildJson;
  let newer: BuildJson;
  let lossy: ServiceProxy;
  beforeAll(async () => {
    stage = await startCliProject();
    lossy = await ServiceProxy.start(() => stage.app.address);
    ({ ann, project, beta, cli } = stage);
    const file = (versionCode: number) => ({ bytes: apk({ versionCode }), fileName: `app-${versionCode}.apk` });
    older = await ann.uploads(project, file(8), { commit: OLD, branch: 'main', notes: 'Older' });
    newer = await ann.uploads(project, file(9), { commit: NEW, branch: 'topic' });
  });
  afterAll(() => lossy.stop());
  afterAll(() => stage.stop());
  const succeeds = async (...args: string[]): Promise<CliResult> => {
    const result = await cli.run(args);
    expect({ code: result.code, stderr: result.stderr }).toMatchObject({ code: 0 });
    return result;
  };
  const prints = async (...args: string[]): Promise<string> => (await succeeds(...args)).stdout.trimEnd();

  it('find the newest build, of a branch, and its next build number', async () => {
    expect(await prints('latest', '--field', 'id')).toBe(newer.id);
    expect(await prints('latest', '--branch', 'main', '--field', 'source.commit')).toBe(OLD);
    expect(await prints('latest', '--next')).toBe('10');
    expect(await prints('latest', '--platform', 'ios', '--next')).toBe('1');
    expect(await cli.run(['latest', '--platform', 'ios'])).toMatchObject({ code: 5 });
    expect(await cli.run(['latest', '--field', 'nothing'])).toMatchObject({ code: 2 });
  });

  // red when: a 404 of another server counts as a project without builds, so that build numbers begin with 1 again
  it('find no next build number at an address where another server responds', async () => {
    lossy.answers = () => ({ status: 404, headers: { 'content-type': 'text/html' }, body: '<h1>Not found</h1>' });
    const environment = { AGATE_URL: lossy.url };
    expect(await cli.run(['latest', '--next'], { environment })).toMatchObject({ code: 5, stdout: '' });
  });

  it('promote a build that a commit names, also a second time', async () => {
    const { json } = await succeeds('promote', OLD.slice(0, 9), '--channel', 'beta', '--silent', '--json');
    expect(json()).toMatchObject({ id: older.id, releases: [{ channel: 'Beta', install_url: beta.install_url }] });
    await succeeds('promote', 'latest:android', '--channel', 'beta', '--silent');
    await succeeds('promote', older.id, '--channel', 'beta', '--silent');
    expect(await prints('latest', '--channel', 'Beta', '--field', 'id')).toBe(older.id);
    expect(await cli.run(['promote', 'newest', '--channel', 'Beta'])).toMatchObject({ code: 2 });
    expect(await cli.run(['promote', 'latest', '--channel', 'Nowhere'])).toMatchObject({ code: 5 });
  });

  // red when: the message says that "" is not a number
  it('advise how to choose a build when the newest one has no build number', async () => {
    const other = await ann.createsProject(stage.organization);
    await ann.uploads(
      other,
      { bytes: Buffer.from('disk'), fileName: 'App.dmg' },
      { platform: 'macos', version: '2.0' },
    );
    const environment = { AGATE_TOKEN: await ann.createsToken(other, 'MANAGE_RELEASES') };
    const { code, stderr } = await cli.run(['latest', '--next'], { environment });
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/version 2\.0, macos\) has no build number.* --platform/),
    ]);
  });

  it('say whether a commit has a build', async () => {
    expect(await prints('exists', '--commit', NEW)).toBe(newer.id);
    expect(await cli.run(['exists', '--commit', 'c'.repeat(40), '--json'])).toMatchObject({ code: 5 });
    expect(await prints('exists', '--sha256', older.sha256)).toBe(older.id);
    expect(await cli.run(['exists'])).toMatchObject({ code: 2 });
  });

  it('list and show builds, and change their notes', async () => {
    expect((await succeeds('builds', 'list', '--branch', 'topic', '--json')).json()).toMatchObject([{ id: newer.id }]);
    expect(await prints('builds', 'list', '--limit', '1')).toContain(newer.id);
    expect(await prints('builds', 'show', older.id)).toContain(older.sha256);
    expect(await prints('builds', 'notes', older.id)).toBe('Older');
    expect(await prints('builds', 'notes', older.id, '--notes', 'Changed')).toBe('Changed');
  });

  it('download the file of a build, and keep one that exists', async () => {
    expect(await prints('builds', 'download', 'latest')).toBe(join(cli.work, 'app-9.apk'));
    expect(readFileSync(join(cli.work, 'app-9.apk'))).toEqual(apk({ versionCode: 9 }));
    expect(await cli.run(['builds', 'download', 'latest'])).toMatchObject({ code: 2 });
  });

  it('reject a file that cannot be written, before anything is downloaded', async () => {
    mkdirSync(join(cli.work, 'folder'));
    for (const file of [
      ['--file', 'nowhere/app.apk'],
      ['--file', 'folder', '--force'],
      ['--file', 'folder'],
    ]) {
      const { code, stderr } = await cli.run(['builds', 'download', 'latest', ...file]);
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.not.stringContaining('Unexpected') as string });
    }
    const { body } = await ann.get(`/builds/${newer.id}/downloads?${scope(project)}`).expect(200);
    expect((body as { items: object[] }).items).toHaveLength(1);
    expect(cli.has('folder.part')).toBe(false);
  });

  it('say that trying again helps when the connection is lost during a download', async () => {
    lossy.answers = ({ path }) => {
      if (path === '/file') return { status: 200, headers: { 'content-length': '100' }, body: 'short' };
      const body = JSON.stringify({ url: `${lossy.url}/file` });
      return path.endsWith('/download-url') ? { status: 201, headers: JSON_BODY, body } : undefined;
    };
    for (const args of [
      ['builds', 'download', 'latest', '--file', 'lost.apk'],
      ['export', 'builds', 'lost'],
    ]) {
      const { code, json, stderr } = await cli.run([...args, '--json'], { environment: { AGATE_URL: lossy.url } });
      expect({ code, stderr }).toMatchObject({ code: 7 });
      expect(json()).toMatchObject({ message: expect.stringContaining('The connection was lost') as string });
    }
    expect(cli.has('lost.apk') || cli.has('lost.apk.part')).toBe(false);
  });

  it('print the install link, and nothing but it to a pipe', async () => {
    const { install_url: link } = (await ann.get(`/builds/${newer.id}?${scope(project)}`)).body as BuildJson;
    expect(await succeeds('link', '--qr')).toMatchObject({
      stdout: `${link}\n`,
      stderr: expect.stringMatching(/^[ ▀▄█\n]{99,}$/),
    });
    expect(await prints('link', '--channel', 'beta', '--svg', 'qr.svg')).toBe(beta.install_url);
    expect(statSync(join(cli.work, 'qr.svg')).size).toBeGreaterThan(1_000);
  });

  it('delete a build after a confirmation only', async () => {
    expect(await cli.run(['builds', 'delete', newer.id])).toMatchObject({ code: 2 });
    expect(await prints('builds', 'delete', newer.id, '--yes')).toBe(newer.id);
    await ann.get(`/builds/${newer.id}?${scope(project)}`).expect(404);
  });
});
