import { type ChangedBuild, commitsBetween } from './commits-between';

const OLD = '0000000aaaa';

/** A build whose list begins after `since`. Null: its upload named no commits. */
const build = (
  id: string,
  commit: string | null,
  since: string | null,
  shas: readonly string[] = [],
): ChangedBuild => ({
  id,
  commit,
  commits: since === null ? null : shas.map((sha) => ({ sha, subject: `Change ${sha}`, author: null })),
  commitsSince: since,
});
const shasOf = (builds: readonly ChangedBuild[], earlierId = 'old'): readonly string[] | undefined =>
  commitsBetween(builds, earlierId)?.added.map(({ sha }) => sha);
const missingOf = (builds: readonly ChangedBuild[]): readonly string[] | undefined =>
  commitsBetween(builds, 'old')?.missing;

const old = build('old', OLD, null);

describe('commitsBetween', () => {
  // red when: the walk ends at the first build
  it('puts the lists of builds together, newest first', () => {
    const builds = [
      build('b', 'ccc1111', 'bbb1111', ['ccc1111']),
      build('a', 'bbb1111', OLD, ['bbb1111', 'abc1111']),
      old,
    ];
    expect(shasOf(builds)).toEqual(['ccc1111', 'bbb1111', 'abc1111']);
    expect(missingOf(builds)).toEqual([]);
  });

  it('compares hashes by their beginning, in any case', () => {
    expect(missingOf([build('a', 'bbb1111', '0000000AAAABBB', ['bbb1111']), old])).toEqual([]);
    expect(missingOf([build('a', 'bbb1111', '0000', ['bbb1111']), old])).toEqual(['a']);
  });

  // red when: each list must follow on the build before it
  it('skips a build that a concurrent run made after the same one', () => {
    const builds = [build('b', 'ccc1111', OLD, ['ccc1111', 'bbb1111']), build('a', 'bbb1111', OLD, ['bbb1111']), old];
    expect(shasOf(builds)).toEqual(['ccc1111', 'bbb1111']);
    expect(missingOf(builds)).toEqual([]);
  });

  // red when: commits are compared by their whole hashes
  it('has a commit once that two lists name by forms of its hash of different lengths', () => {
    const builds = [
      build('b', 'ccc1111', 'bbb1111', ['ccc1111', 'abc1111']),
      build('a', 'bbb1111', OLD, ['bbb1111', 'ABC1111AAAA', 'abc1112', 'abc111']),
      old,
    ];
    expect(shasOf(builds)).toEqual(['ccc1111', 'abc1111', 'bbb1111', 'abc1112', 'abc111']);
  });

  it('accepts the empty list of a build that repeats a commit', () => {
    const builds = [build('b', 'bbb1111', 'bbb1111'), build('a', 'bbb1111', OLD, ['bbb1111']), old];
    expect(shasOf(builds)).toEqual(['bbb1111']);
    expect(missingOf(builds)).toEqual([]);
  });

  // red when: a build without a list counts as one without commits
  it('names the builds before which commits are unknown', () => {
    const builds = [
      build('c', 'ddd1111', 'ccc1111', ['ddd1111']),
      build('b', 'ccc1111', null),
      build('a', 'bbb1111', OLD, ['bbb1111']),
      old,
    ];
    expect(shasOf(builds)).toEqual(['ddd1111', 'bbb1111']);
    expect(missingOf(builds)).toEqual(['b']);
  });

  it('names the oldest build that was read when there are too many', () => {
    expect(missingOf([build('b', 'ccc1111', 'bbb1111', ['ccc1111']), build('a', 'bbb1111', OLD, ['bbb1111'])])).toEqual(
      ['a'],
    );
  });

  it('is null when no upload named commits, and for the same build', () => {
    expect(commitsBetween([build('a', 'bbb1111', null), old], 'old')).toBeNull();
    expect(commitsBetween([old], 'old')).toBeNull();
    expect(commitsBetween([], 'old')).toBeNull();
  });

  it('has at most 500 commits, and the number of the others', () => {
    const shas = Array.from({ length: 600 }, (_, at) => `abcd${at}`);
    const between = commitsBetween([build('a', 'bbb1111', OLD, shas), old], 'old');
    expect([between?.added.length, between?.furtherCommits]).toEqual([500, 100]);
  });
});
