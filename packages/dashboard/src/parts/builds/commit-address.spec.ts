import { commitAddress } from './commit-address';

const COMMIT = '9fceb02d0ae598e95dc970b74767f19372d61af8';

describe('the address of a commit', () => {
  it.each([
    ['https://github.com/acme/rocket/actions/runs/42', `https://github.com/acme/rocket/commit/${COMMIT}`],
    ['https://gitlab.com/acme/apps/rocket/-/jobs/42', `https://gitlab.com/acme/apps/rocket/-/commit/${COMMIT}`],
    ['https://bitbucket.org/acme/rocket/pipelines/results/42', `https://bitbucket.org/acme/rocket/commits/${COMMIT}`],
    ['https://ci.example.com/jobs/42', null],
    ['javascript://github.com/acme/rocket/actions/runs/42', null],
  ])('of the CI run %s is %s', (ci_url, address) => {
    expect(commitAddress({ branch: null, commit: COMMIT, ci_url, pull_request: null })).toBe(address);
  });

  it('is in the repository of the pull request, and needs a hash', () => {
    const pull_request = { number: 12, url: 'https://git.example.com/acme/rocket/pulls/12' };
    const source = { branch: null, ci_url: 'https://ci.example.com/jobs/42', pull_request };
    expect(commitAddress({ ...source, commit: COMMIT })).toBe(`https://git.example.com/acme/rocket/commit/${COMMIT}`);
    expect(commitAddress({ ...source, commit: '../settings' })).toBeNull();
    expect(commitAddress({ ...source, commit: null })).toBeNull();
  });
});
