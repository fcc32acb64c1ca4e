import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type BuildJson } from '../support/actors/actors';
import { apk } from '../support/artifacts/valid-artifacts';
import { type CliProject, startCliProject } from '../support/cli/cli-project';

describe('agate upload --notes-from-git', () => {
  let stage: CliProject;
  let builds = 0;
  beforeAll(async () => (stage = await startCliProject()));
  afterAll(() => stage.stop());

  const git = (folder: string, ...args: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.com', ...args], {
      cwd: join(stage.cli.work, folder),
      encoding: 'utf8',
    }).trim();
  const commits = (folder: string, ...messages: readonly string[]): void => {
    for (const message of messages) git(folder, 'commit', '--quiet', '--allow-empty', '--message', message);
  };
  function repository(folder: string, branch: string): void {
    stage.cli.write(`${folder}/README.md`, '');
    git(folder, 'init', '--quiet', '--initial-branch', branch);
  }
  const uploads = async (folder: string) => {
    builds += 1;
    const file = stage.cli.write(`${builds}.apk`, apk({ versionCode: builds }));
    const args = ['upload', file, '--notes-from-git', '--json'];
    const { code, stderr, json } = await stage.cli.run(args, { cwd: join(stage.cli.work, folder) });
    expect({ code, stderr }).toMatchObject({ code: 0 });
    return { notes: json<BuildJson & { notes: string | null }>().notes, stderr };
  };

  it('lists the commits since the last build of the branch', async () => {
    repository('app', 'main');
    commits('app', 'Add the login\n\nWith a password.');
    expect((await uploads('app')).notes).toBe('Add the login\n\nWith a password.');
    commits('app', 'Fix "quotes" & ::error:: `marks`', 'Faster start');
    expect((await uploads('app')).notes).toBe('- Faster start\n- Fix "quotes" & ::error:: `marks`');
    // No commit since the last build: the last commit is the content of the build.
    expect((await uploads('app')).notes).toBe('Faster start');
  });

  it('does not count builds of another branch', async () => {
    repository('other', 'topic');
    commits('other', 'First', 'Second');
    expect((await uploads('other')).notes).toBe('Second');
  });

  it('uses the last message of a clone that is too shallow, and warns', async () => {
    repository('origin', 'release');
    commits('origin', 'Base');
    await uploads('origin');
    commits('origin', 'One', 'Two');
    const origin = pathToFileURL(join(stage.cli.work, 'origin')).href;
    git('.', 'clone', '--quiet', '--depth', '1', origin, 'shallow');
    const { notes, stderr } = await uploads('shallow');
    expect([notes, stderr]).toEqual(['Two', expect.stringContaining('the clone is shallow')]);
  });

  it('uploads without notes outside of a repository', async () => {
    stage.cli.write('bare/README.md', '');
    const { notes, stderr } = await uploads('bare');
    expect([notes, stderr]).toEqual([null, expect.stringContaining('git log failed')]);
  });
});
