import { type ArtifactContents } from '#infra/artifact-inspection/inspected-artifact';
import { contentsDiff } from './contents-diff';

const contents = (
  files: Readonly<Record<string, number>>,
  fileCount = Object.keys(files).length,
): ArtifactContents => ({
  fileCount,
  sizes: { assets: Object.values(files).reduce((sum, size) => sum + size, 0) },
  files: Object.entries(files)
    .map(([path, sizeBytes]) => ({ path, sizeBytes }))
    .sort((a, b) => b.sizeBytes - a.sizeBytes),
});

describe('contentsDiff', () => {
  it('is null for the same sizes', () => {
    expect(contentsDiff(contents({ a: 1 }), contents({ a: 1 }))).toBeNull();
  });

  it('has the largest differences first', () => {
    expect(contentsDiff(contents({ a: 10, b: 5, c: 7 }), contents({ a: 12, b: 50, d: 3 }))).toEqual({
      kinds: [{ kind: 'assets', from: 22, to: 65 }],
      files: [
        { path: 'b', from: 5, to: 50 },
        { path: 'c', from: 7, to: null },
        { path: 'd', from: null, to: 3 },
        { path: 'a', from: 10, to: 12 },
      ],
      furtherFiles: 0,
    });
  });

  // red when: a file that was not recorded counts as removed
  it('does not guess about files that were not recorded', () => {
    const before = contents({ a: 100, b: 90 }, 10);
    const after = contents({ a: 100, c: 80, d: 95 }, 10);
    expect(contentsDiff(before, after)?.files).toEqual([
      { path: 'd', from: null, to: 95 },
      { path: 'b', from: 90, to: null },
    ]);
  });

  it('has at most 50 files, and the number of the others', () => {
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`file${at}`, at + 1]));
    const diff = contentsDiff(contents({}), contents(many));
    expect([diff?.files.length, diff?.furtherFiles]).toEqual([50, 10]);
  });
});
