import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ipa, PROFILE_DEVICES } from '../../support/artifacts/valid-artifacts';
import { type CliProject, startCliProject } from '../../support/cli/cli-project';

const OTHER = '2b6f0cc904d137be2e1730235f5664094b831186';

describe('agate devices', () => {
  let at: CliProject;
  beforeAll(async () => {
    at = await startCliProject();
  });
  afterAll(() => at.stop());

  const run = (...args: string[]) => at.cli.run(['devices', ...args]);

  it('imports, lists, exports and marks devices', async () => {
    const list = `Device ID\tDevice Name\n${PROFILE_DEVICES[0]}\tFirst\n${OTHER}\tSecond\n`;
    const dry = await at.cli.run(['devices', 'import', '-', '--dry-run', '--json'], { stdin: list });
    expect([dry.code, dry.json()]).toEqual([0, { created: 2, existing: 0, dry_run: true }]);
    expect(await at.cli.run(['devices', 'import', '-'], { stdin: list })).toMatchObject({ code: 0 });
    const build = await at.ann.uploads(at.project, { bytes: ipa(), fileName: 'Demo.ipa' });

    expect((await run('list')).stdout).toMatch(/Second.*missing[^]*First.*included/);
    expect((await run('list', '--missing-in', build.id)).stdout).not.toContain('First');
    // red when: a build is named by its id only
    for (const named of ['latest', 'latest:ios']) {
      expect((await run('list', '--missing-in', named)).stdout).toMatch(/^.*Second.*$/m);
    }
    expect(await run('list', '--missing-in', 'newest')).toMatchObject({ code: 2 });
    const file = join(at.cli.work, 'devices.txt');
    expect((await run('export', file, '--missing-in', build.id)).stdout).toContain('1 device is in');
    expect(readFileSync(file, 'utf8')).toBe(`Device ID\tDevice Name\tDevice Platform\n${OTHER}\tSecond 1186\tios\n`);
    expect(statSync(file).mode & 0o077).toBe(0);
    expect((await run('mark-registered', '--missing-in', build.id)).stdout).toContain('1 marked');
    expect((await run('list', '--unregistered')).stdout).not.toContain('Second');
    expect((await run('mark-registered')).code).toBe(2);
    expect((await run('import', 'missing.csv')).code).toBe(2);
  });
});
