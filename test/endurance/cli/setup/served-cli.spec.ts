import { createHash } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { startReachableApp } from '../../../support/app/reachable-app';
import { type TestApp } from '../../../support/app/test-app';
import { AgateCli, BUNDLE } from '../../../support/cli/agate-cli';
import { rawRequest } from '../../../support/load/raw-http';

/** The release, and the commit between releases. */
const VERSION = { code: 0, stdout: expect.stringMatching(/^0\.\d+\.\d+(\+[\da-f]{9}(\.modified)?)?\n$/) as string };
const PACKAGE = 'agate-0.1.0.tgz';

describe('The command line that the service serves', () => {
  let app: TestApp;
  let cli: AgateCli;
  beforeAll(async () => {
    cli = await AgateCli.create();
    app = await startReachableApp({ commandLine: dirname(BUNDLE) });
  });
  afterAll(async () => {
    cli.remove();
    await app.stop();
  });
  const bytesOf = async (name: string): Promise<Buffer> => {
    const response = await fetch(`${app.url}/cli/${name}`);
    expect(response.status).toBe(200);
    return Buffer.from(await response.arrayBuffer());
  };

  it('has the checksums that SHA256SUMS lists', async () => {
    const sums = (await bytesOf('SHA256SUMS')).toString();
    const [, own] = / {2}(agate-\S+\.tgz)\n/.exec(sums)!;
    for (const name of ['agate.mjs', own!, 'LICENSES']) {
      expect(sums).toContain(
        `${createHash('sha256')
          .update(await bytesOf(name))
          .digest('hex')}  ${name}\n`,
      );
    }
  });

  it('comes with the licences of the libraries in it', async () => {
    const licenses = (await bytesOf('LICENSES')).toString();
    for (const library of ['commander', 'ci-info', 'undici', 'uqr']) expect(licenses).toContain(`${library} `);
    expect(licenses).toContain('Permission is hereby granted');
  });

  // red when: an address of a version is immutable, although an upgrade changes its content
  it.each(['agate.mjs', PACKAGE])('is revalidated as %s, because an upgrade changes it', async (name) => {
    const { headers } = await app.anonymous.get(`/cli/${name}`).expect('Cache-Control', 'public, no-cache').expect(200);
    await app.anonymous.get(`/cli/${name}`).set('If-None-Match', headers['etag']!).expect(304);
    await app.anonymous.head(`/cli/${name}`).expect(200);
  });

  // red when: the compressed forms are absent, are files of their own, or have the tag of another form
  it('is compressed for clients that accept it, with a tag for each form', async () => {
    const formOf = async (encoding: string) => {
      const { status, headers, body } = await rawRequest(`${app.url}/cli/agate.mjs`, {
        headers: { 'Accept-Encoding': encoding },
      });
      expect([status, headers['vary']]).toEqual([200, expect.stringContaining('Accept-Encoding')]);
      return { encoding: headers['content-encoding'], tag: headers['etag'], body };
    };
    const [identity, gzip, br] = [await formOf('identity'), await formOf('gzip'), await formOf('gzip, br')];
    expect([identity.encoding, gzip.encoding, br.encoding]).toEqual([undefined, 'gzip', 'br']);
    expect(gunzipSync(gzip.body)).toEqual(identity.body);
    expect(brotliDecompressSync(br.body)).toEqual(identity.body);
    expect(br.body.length).toBeLessThan(identity.body.length / 3);
    expect(new Set([identity.tag, gzip.tag, br.tag]).size).toBe(3);
    await app.anonymous.get('/cli/agate.mjs').set({ 'Accept-Encoding': 'br', 'If-None-Match': br.tag! }).expect(304);
    for (const name of ['agate.mjs.br', 'agate.mjs.gz', '.built-from'])
      await app.anonymous.get(`/cli/${name}`).expect(404);
  });

  it('is the present one at the addresses of all versions with the same major number', async () => {
    const present = await bytesOf('agate-0.1.0.tgz');
    for (const version of ['0.0.9', '0.99.1', '0.2.0+9fceb02d1', '0.3.0-rc.1'])
      expect((await bytesOf(`agate-${version}.tgz`)).equals(present)).toBe(true);
  });

  // red when: the header npm-notice is missing; npm does not print the message of the envelope
  it('is named by the response to another major version, which npm shows', async () => {
    const { body } = await app.anonymous.get('/cli/agate-99.0.0.tgz').expect(404);
    const address = /\/cli\/agate-0\.\d+\.\d+\S*\.tgz/;
    expect(body).toMatchObject({ error: 'not_found', message: expect.stringMatching(address) as string });
    const { ended } = cli.spawns('npx', ['-y', `${app.url}/cli/agate-99.0.0.tgz`, '--version']);
    expect((await ended).stderr).toMatch(address);
    await app.anonymous.get('/cli/agate-.tgz').expect(404);
    await app.anonymous.get('/cli/agate-0.tgz').expect(404);
  });

  it('runs by npx, from its address alone', async () => {
    const { ended } = cli.spawns('npx', ['-y', `${app.url}/cli/${PACKAGE}`, '--version']);
    expect(await ended).toMatchObject(VERSION);
  });

  it('runs by curl and node', async () => {
    const command = `curl -fsS ${app.url}/cli/agate.mjs | node --input-type=module - --version`;
    expect(await cli.spawns('sh', ['-c', command]).ended).toMatchObject(VERSION);
  });

  it('runs when it is installed in a path with spaces', async () => {
    const folder = join(cli.folder, 'a folder with spaces');
    mkdirSync(folder);
    const install = ['install', '--no-audit', '--no-fund', `${app.url}/cli/${PACKAGE}`];
    expect(await cli.spawns('npm', install, { cwd: folder }).ended).toMatchObject({ code: 0 });
    expect(await cli.spawns('node_modules/.bin/agate', ['--version'], { cwd: folder }).ended).toMatchObject(VERSION);
    rmSync(folder, { recursive: true });
  });

  it('is described as not built when it was not built', async () => {
    const bare = await startReachableApp({ beside: app, commandLine: join(cli.folder, 'nothing') });
    const { body } = await bare.anonymous.get('/cli/agate.mjs').expect(404);
    await bare.stop();
    expect(body).toMatchObject({ message: expect.stringContaining('was not built') as string });
  });
});
