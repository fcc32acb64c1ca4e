import { matchingBranches } from './matching-branches';

describe('matchingBranches', () => {
  it('returns the branches that match one of the patterns, in their order', async () => {
    const branches = ['main', 'pr-1', 'pr-2', 'feature/a'];
    expect(await matchingBranches(['pr-*', 'main'], branches)).toEqual(['main', 'pr-1', 'pr-2']);
    expect(await matchingBranches([], branches)).toEqual([]);
  });

  // red when: it does not wait for other work, or ignores the signal
  it('lets other work run in between, which can abort it', async () => {
    const branches = Array.from({ length: 1_000 }, (_, n) => 'a'.repeat(200) + String(n));
    const patterns = Array.from({ length: 20 }, (_, n) => `${'*a'.repeat(48)}${n}x`);
    const abort = new AbortController();
    setImmediate(() => abort.abort(new Error('gone')));
    await expect(matchingBranches(patterns, branches, abort.signal)).rejects.toThrow('gone');
  });
});
