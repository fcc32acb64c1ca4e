import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AgateCli } from '../../support/cli/agate-cli';

const { version } = JSON.parse(readFileSync(join(__dirname, '../../../package.json'), 'utf8')) as { version: string };

describe('The bundled command line', () => {
  let cli: AgateCli;
  beforeAll(async () => (cli = await AgateCli.create()));
  afterAll(() => cli.remove());

  it('prints the version of the project, with the commit between releases', async () => {
    const { code, stdout, stderr } = await cli.run(['--version']);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout.split(/[+\n]/, 1)).toEqual([version]);
    expect(stdout).toMatch(/^[\d.]+(\+[\da-f]{9}(\.modified)?)?\n$/);
  });

  it('rejects an unknown option with exit code 2, as JSON with --json', async () => {
    const { code, stderr, json } = await cli.run(['upload', 'app.apk', '--json', '--notez']);
    expect(code).toBe(2);
    expect(json()).toMatchObject({ error: 'usage', message: expect.stringContaining('--notez') });
    expect(stderr).toContain('--notez');
  });
});
