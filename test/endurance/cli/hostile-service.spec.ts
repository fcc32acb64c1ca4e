import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { AgateCli, BUNDLE } from '../../support/cli/agate-cli';

const ID = '019a9d5e-7c1a-7b3e-9c55-0c8f4a6b2d10';
const BYTES = 'ssh-ed25519 AAAA';
const BUILD = {
  id: ID,
  file_name: 'app.apk',
  uploaded_at: '2026-11-20T18:03:00.123Z',
  size_bytes: BYTES.length,
  sha256: createHash('sha256').update(BYTES).digest('hex'),
  platform: 'android',
  version: '1.0',
  build_number: null,
  uploaded_by: { label: null },
  original_uploaded_at: null,
  install_url: null,
  notes: null,
  source: { branch: null, commit: null, ci_url: null },
  app: { name: 'App' },
  channels: [],
  warnings: [],
};

describe('With a hostile service, the command line', () => {
  let server: Server;
  let cli: AgateCli;
  let build: object;
  let failure: string | null;
  beforeAll(async () => {
    cli = await AgateCli.create();
    server = createServer(({ url = '' }, response) => {
      if (url === '/file') return response.end(BYTES);
      const page = { items: url.includes('/builds') ? [build] : [], next_cursor: null };
      const body = url.includes('/download-url') ? { url: '/file' } : url.includes('/builds/') ? build : page;
      response.writeHead(failure === null ? 200 : 409, { 'Content-Type': 'application/json' });
      return response.end(JSON.stringify(failure === null ? body : { error: 'conflict', message: failure }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  beforeEach(() => {
    build = BUILD;
    failure = null;
  });
  afterAll(() => {
    cli.remove();
    server.close();
  });
  const address = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const run = (...args: string[]) =>
    cli.run(args, { environment: { AGATE_URL: address(), AGATE_TOKEN: 'ag_prj_secret' } });

  // red when: the client does not check the forms of a response, and `fileOf` joins what it received.
  it.each([
    ['an id with a path', { id: '/../../../../home/.ssh', file_name: 'authorized_keys' }, 1],
    ['a time with a path', { uploaded_at: '/../../x/', file_name: 'authorized_keys' }, 1],
    ['a name with a path', { file_name: '../../../home/.ssh/authorized_keys' }, 0],
  ])('exports no file to another folder for %s', async (_case, changes, code) => {
    build = { ...BUILD, ...changes };
    const result = await run('export', 'builds', `saved-${code}`, '--json');
    expect([result.code, result.stderr]).toEqual([code, expect.any(String)]);
    expect(existsSync(join(cli.folder, 'home/.ssh'))).toBe(false);
    if (code === 0) expect(cli.read(`saved-0/2026-11-20-${ID}/authorized_keys`)).toBe(BYTES);
    else expect(result.json()).toMatchObject({ error: 'malformed_response' });
  });

  it('shows the control characters of its messages as escapes, and passes them on in JSON', async () => {
    failure = 'No\u001b]52;c;cm0gLXJm\u0007\u009b2J\u202e!';
    const { stderr } = await run('latest');
    expect(stderr).toContain(String.raw`No\x1b]52;c;cm0gLXJm\x07\x9b2J\u202e!`);
    expect((await run('latest', '--json')).json()).toMatchObject({ message: failure });
  });

  it('passes the text of a build on unchanged when standard output is no terminal', async () => {
    build = { ...BUILD, version: '1.0\u001b[2J' };
    expect(await run('latest', '--field', 'version')).toMatchObject({ code: 0, stdout: '1.0\u001b[2J\n' });
  });

  // red when: `Output.print` writes texts of builds to a terminal without `visible`.
  it('shows the text of a build with escapes in a terminal', async () => {
    build = { ...BUILD, version: '1.0\u001b[2J', notes: 'First\n\u001b]52;c;cm0gLXJm\u0007' };
    const environment = { AGATE_URL: address(), AGATE_TOKEN: 'ag_prj_secret' };
    // script (util-linux) runs a command in a pseudo terminal.
    const command = `${process.execPath} ${BUNDLE} builds show ${ID}`;
    const { code, stdout } = await cli.spawns('script', ['-qec', command, '/dev/null'], { environment }).ended;
    expect({ code, stdout }).toMatchObject({ code: 0 });
    expect(stdout).toContain(String.raw`1.0\x1b[2J`);
    expect(stdout).toContain(String.raw`First`);
    expect(stdout).toContain(String.raw`\x1b]52;c;cm0gLXJm\x07`);
    expect(stdout).not.toMatch(/\u001b\[2J|\u001b\]/);
  });
});
