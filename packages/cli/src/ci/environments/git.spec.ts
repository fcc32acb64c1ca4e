import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gitIn } from './git';

describe('gitIn', () => {
  let folder: string;
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'agate-git-')));
    setUp('init', '--quiet', '--initial-branch', 'main');
    setUp('commit', '--quiet', '--allow-empty', '--message', 'First');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const setUp = (...args: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.com', ...args], {
      cwd: folder,
      encoding: 'utf8',
    }).trim();
  const mark = (): string => join(folder, 'was-run');
  /** A program that leaves a file when it runs. */
  const program = (): string => {
    const path = join(folder, 'program.sh');
    writeFileSync(path, `#!/bin/sh\ntouch '${mark()}'\n`, { mode: 0o755 });
    return path;
  };

  it('reads a repository, and is null when git fails', () => {
    const git = gitIn(folder);
    expect(git('log', '-1', '--format=%s')).toBe('First');
    expect(git('status', '--porcelain')).toBe('');
    expect(git('rev-parse', 'no-such-branch')).toBeNull();
    expect(gitIn(tmpdir())('rev-parse', '--git-dir')).toBeNull();
  });

  // red when: the settings are not overridden
  it('does not run programs that the settings of the repository name', () => {
    setUp('config', 'core.fsmonitor', program());
    setUp('config', 'log.showSignature', 'true');
    setUp('config', 'gpg.program', program());
    const signed = setUp('cat-file', 'commit', 'HEAD').replace(
      /\n\n/,
      '\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n\n',
    );
    writeFileSync(join(folder, 'commit'), `${signed}\n`);
    setUp('update-ref', 'HEAD', setUp('hash-object', '-t', 'commit', '-w', 'commit'));
    const git = gitIn(folder);
    git('status', '--porcelain');
    expect(git('log', '--format=%s')).toBe('First');
    expect(existsSync(mark())).toBe(false);
  });

  // red when: transports are allowed
  it('does not fetch what a partial clone lacks', () => {
    setUp('config', 'extensions.partialClone', 'origin');
    setUp('config', 'remote.origin.promisor', 'true');
    setUp('config', 'remote.origin.url', `ext::${program()}`);
    setUp('config', 'protocol.ext.allow', 'always');
    expect(gitIn(folder)('cat-file', '-e', '9fceb02d0ae598e95dc970b74767f19372d61af8')).toBeNull();
    expect(existsSync(mark())).toBe(false);
  });
});
