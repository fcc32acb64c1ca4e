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
    expect(commitAddress({ commit: COMMIT, ci_url, pull_request: null })).toBe(address);
  });

  it.each([
    ['https://github.com/acme/rocket/pull/12', `https://github.com/acme/rocket/commit/${COMMIT}`],
    ['https://gitlab.com/acme/rocket/-/merge_requests/12', `https://gitlab.com/acme/rocket/-/commit/${COMMIT}`],
    [
      'https://dev.azure.com/acme/Apps/_git/rocket/pullrequest/12',
      `https://dev.azure.com/acme/Apps/_git/rocket/commit/${COMMIT}`,
    ],
  ])('is also known for other commits of the build, from %s', (url, address) => {
    const pull_request = { number: 12, url, title: null };
    expect(commitAddress({ commit: null, ci_url: null, pull_request }, COMMIT)).toBe(address);
  });

  it('is in the repository of the pull request, and needs a hash', () => {
    const pull_request = { number: 12, url: 'https://git.example.com/acme/rocket/pulls/12', title: null };
    const source = { ci_url: 'https://ci.example.com/jobs/42', pull_request };
    expect(commitAddress({ ...source, commit: COMMIT })).toBe(`https://git.example.com/acme/rocket/commit/${COMMIT}`);
    expect(commitAddress({ ...source, commit: '../settings' })).toBeNull();
    expect(commitAddress({ ...source, commit: null })).toBeNull();
  });
});
