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

  // red when: the failure is the name of an error of Commander
  it.each([[[]], [['builds']]])('shows the help, and asks for a command, with the arguments %j', async (args) => {
    const { code, stderr } = await cli.run(args);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^Usage: agate [^]*\nerror: Name a command\.\n$/)]);
  });

  describe('with options of all commands before the command', () => {
    const HELP = 'https://agate.example.com/help/ci';
    const environment = { AGATE_URL: 'https://variable.example.com' };

    // red when: only a command, and not the program or a group of commands, knows the options
    it('uses them, of two values the last one, and rather than the variable', async () => {
      const url = ['--url', 'https://agate.example.com'];
      const first = await cli.run([...url, '--json', 'help', 'ci'], { environment });
      expect(first.json()).toEqual({ url: HELP });
      const twice = await cli.run(['--url=https://former.example.com', 'help', ...url, 'ci'], { environment });
      expect(twice.stdout).toBe(`${HELP}\n`);
      const group = await cli.run(['builds', '--json', '--debug', 'list']);
      expect([group.code, group.json()]).toEqual([2, expect.objectContaining({ error: 'usage' })]);
    });

    it('lists them in the help of the program', async () => {
      expect((await cli.run(['--help'])).stdout).toContain('Options of all commands:');
    });

    // red when: the value of an option counts as the command
    it('annotates the failure of an upload', async () => {
      const args = ['--project', 'Demo', 'upload', 'missing.apk'];
      const { code, stdout, stderr } = await cli.run(args, { environment: { ...environment, GITHUB_ACTIONS: 'true' } });
      expect([code, stdout + stderr]).toEqual([2, expect.stringContaining('::error ')]);
    });
  });
});
