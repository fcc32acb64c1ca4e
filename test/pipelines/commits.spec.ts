import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type BuildJson } from '../support/actors/actors';
import { apk, ipa } from '../support/artifacts/valid-artifacts';
import { type CliProject, startCliProject } from '../support/cli/cli-project';

interface Uploaded {
  readonly id: string;
  readonly commits:
    readonly { readonly sha: string; readonly subject: string; readonly author: string | null }[] | null;
  readonly since: string | null;
  readonly stderr: string;
  readonly replayed: boolean;
}

describe('the commits that agate upload sends', () => {
  let stage: CliProject;
  let builds = 0;
  beforeAll(async () => (stage = await startCliProject()));
  afterAll(() => stage.stop());

  const git = (folder: string, ...args: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.com', ...args], {
      cwd: join(stage.cli.work, folder),
      encoding: 'utf8',
    }).trim();
  /** Returns the hash of the last commit. */
  function commits(folder: string, ...messages: readonly string[]): string {
    for (const message of messages) git(folder, 'commit', '--quiet', '--allow-empty', '--message', message);
    return git(folder, 'rev-parse', 'HEAD');
  }
  /** The name of the folder is that of the branch. */
  function repository(folder: string): void {
    stage.cli.write(`${folder}/README.md`, '');
    git(folder, 'init', '--quiet', '--initial-branch', folder);
  }
  const newFile = (): string => {
    builds += 1;
    return stage.cli.write(`commits-${builds}.apk`, apk({ versionCode: builds }));
  };
  const uploads = async (folder: string, file = newFile(), ...options: readonly string[]): Promise<Uploaded> => {
    const args = ['upload', file, '--json', ...options];
    const { code, stderr, json } = await stage.cli.run(args, { cwd: join(stage.cli.work, folder) });
    expect({ code, stderr }).toMatchObject({ code: 0 });
    const build = json<
      BuildJson & { replayed: boolean; source: { commits: Uploaded['commits']; commits_since: string | null } }
    >();
    const { commits: list, commits_since: since } = build.source;
    return { id: build.id, commits: list, since, stderr, replayed: build.replayed };
  };
  const subjects = ({ commits: list }: Uploaded): readonly string[] | undefined => list?.map(({ subject }) => subject);

  it('are those since the last build of the branch and platform, without merges', async () => {
    repository('app');
    const first = commits('app', 'Add the login');
    expect(await uploads('app')).toMatchObject({ commits: null, since: null });
    const last = commits('app', 'Fix "quotes" & ::error:: `marks`', 'Faster start');
    const uploaded = await uploads('app');
    expect(uploaded).toMatchObject({
      commits: [
        { sha: last, subject: 'Faster start', author: 'Ann' },
        { subject: 'Fix "quotes" & ::error:: `marks`', author: 'Ann' },
      ],
      since: first,
    });
    // Another platform has no earlier build.
    builds += 1;
    const ios = stage.cli.write(`commits-${builds}.ipa`, ipa());
    expect(await uploads('app', ios)).toMatchObject({ commits: null });
  });

  // red when: a build of the same commit, or a later one, counts as the last build
  it('are the same when a job is repeated, also after later builds', async () => {
    repository('again');
    commits('again', 'One');
    await uploads('again');
    const second = commits('again', 'Two');
    const file = newFile();
    const before = await uploads('again', file);
    expect(subjects(before)).toEqual(['Two']);
    expect(await uploads('again', file)).toMatchObject({ id: before.id, replayed: true });
    commits('again', 'Three');
    expect(subjects(await uploads('again'))).toEqual(['Three']);
    git('again', 'reset', '--quiet', '--hard', second);
    expect(await uploads('again', file)).toMatchObject({ id: before.id, replayed: true });
  });

  it('are unknown in a clone that is too shallow, with a hint', async () => {
    repository('origin');
    commits('origin', 'Base');
    await uploads('origin');
    commits('origin', 'One', 'Two');
    const origin = pathToFileURL(join(stage.cli.work, 'origin')).href;
    git('.', 'clone', '--quiet', '--depth', '1', origin, 'shallow');
    const shallow = await uploads('shallow');
    expect([shallow.commits, shallow.stderr]).toEqual([null, expect.stringContaining('the clone is shallow')]);
    git('.', 'clone', '--quiet', '--depth', '3', origin, 'deep');
    expect(subjects(await uploads('deep'))).toEqual(['Two', 'One']);
  });

  it('are 100 without a beginning when there are more', async () => {
    repository('long');
    commits('long', 'Base');
    await uploads('long');
    commits('long', ...Array.from({ length: 101 }, (_, at) => `Change ${at}`));
    const { commits: list, since } = await uploads('long');
    expect([list?.length, list?.[0]?.subject, since]).toEqual([100, 'Change 100', null]);
  });

  it('are not sent with --no-commits, without metadata and outside of a repository', async () => {
    repository('off');
    commits('off', 'One');
    await uploads('off');
    commits('off', 'Two');
    expect(await uploads('off', newFile(), '--no-commits')).toMatchObject({ commits: null });
    expect(await uploads('off', newFile(), '--no-ci-metadata')).toMatchObject({ commits: null });
    stage.cli.write('bare/README.md', '');
    expect(await uploads('bare', newFile(), '--branch', 'off', '--commit', 'abcdef0')).toMatchObject({ commits: null });
    expect(subjects(await uploads('off'))).toEqual(['Two']);
  });

  // red when: the commit of another build is passed to git as it is
  it('do not let the commit of another build act as an option of git', async () => {
    repository('hostile');
    commits('hostile', 'One');
    await uploads('hostile', newFile(), '--commit=--output=pwned');
    commits('hostile', 'Two');
    expect(await uploads('hostile')).toMatchObject({ commits: null });
    await uploads('hostile', newFile(), '--notes-from-git');
    expect(existsSync(join(stage.cli.work, 'hostile/pwned'))).toBe(false);
    expect(existsSync(join(stage.cli.work, 'hostile/pwned..HEAD'))).toBe(false);
  });
});
