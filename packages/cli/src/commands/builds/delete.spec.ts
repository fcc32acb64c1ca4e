import { type Client } from '@agate/client';
import { Context, type ProcessFacts } from '../../context';
import { Output } from '../../output/output';
import { deleteBuildsCommand } from './delete';

const PREVIEW = {
  builds: 5,
  kept: 1,
  bytes: 3_000_000,
  saves_micro_usd_per_month: 4_200,
  sample: [],
  fingerprint: 'f',
};
const NOW = Date.parse('2026-11-28T12:00:00.000Z');

interface Batch {
  readonly deleted: number;
  readonly remaining: number;
}

/** Runs the command with responses of a service to its deletions, in their order. */
async function run(args: readonly string[], batches: readonly (Batch | Error)[]) {
  const written = { stdout: '', stderr: '' };
  const stream = (name: 'stdout' | 'stderr') => ({
    write: (text: string, done?: () => void) => {
      written[name] += text;
      done?.();
    },
  });
  const [stdout, stderr] = [stream('stdout'), stream('stderr')];
  const output = new Output({ stdout, stderr, environment: {}, json: false });
  const context = new Context({ stdin: {}, stdout, stderr, environment: {}, now: () => NOW } as ProcessFacts, output);
  const sent: unknown[] = [];
  const left = [...batches];
  const request = (route: string, { body }: { readonly body: unknown }): Promise<unknown> => {
    sent.push(body);
    if (route === 'POST /builds/delete/preview') return Promise.resolve(PREVIEW);
    const batch = left.shift()!;
    if (batch instanceof Error) return Promise.reject(batch);
    const builds = Array.from({ length: Math.max(1, batch.deleted) }, (_, index) => ({
      id: `${sent.length - 1}.${index}`,
      outcome: index < batch.deleted ? 'deleted' : 'pinned',
    }));
    return Promise.resolve({ ...batch, fingerprint: `f${sent.length}`, frees_bytes_at: null, builds });
  };
  context.client = () => Promise.resolve({ request } as unknown as Client);
  context.scope = () => Promise.resolve({});
  const error = await deleteBuildsCommand(context)
    .parseAsync(args, { from: 'user' })
    .then(
      () => null,
      (reason: Error) => reason,
    );
  return { ...written, sent, error };
}

describe('agate builds delete with conditions', () => {
  // red when: one request is taken for all, the conditions change, or a request does not send the fingerprint of the response before
  it('repeats the deletion of the preview until no build remains', async () => {
    const batches = [3, 1].map((deleted, index) => ({ deleted, remaining: index === 0 ? 1 : 0 }));
    const { stdout, sent, error } = await run(['--branch', 'pr-*', '--older', '30d', '--yes'], batches);
    const filter = { branch: 'pr-*', to: '2026-10-29T12:00:00.000Z' };
    expect(error).toBeNull();
    expect(sent).toEqual([{ filter }, { filter, fingerprint: 'f' }, { filter, fingerprint: 'f2' }]);
    expect(stdout).toBe('1.0\n1.1\n1.2\n2.0\n');
  });

  // red when: builds that cannot be deleted are requested again and again
  it('ends when a request deletes none', async () => {
    const { stdout, stderr, sent } = await run(['--platform', 'ios', '--yes'], [{ deleted: 0, remaining: 5 }]);
    expect(sent).toHaveLength(2);
    expect([stdout, stderr]).toEqual(['', expect.stringContaining('1 build changed after the preview and stayed.')]);
  });

  it('says how many builds were deleted when a request fails', async () => {
    const { error, stderr } = await run(['--version', '1.0', '--yes'], [{ deleted: 3, remaining: 2 }, new Error('no')]);
    expect(error).toEqual(new Error('no'));
    expect(stderr).toContain('3 of 5 builds were deleted.');
  });

  it('sends that the deletion is permanent', async () => {
    const { sent } = await run(['--branch', 'x', '--permanently', '--yes'], [{ deleted: 5, remaining: 0 }]);
    expect(sent.at(-1)).toMatchObject({ permanently: true });
  });

  it('shows the preview and deletes nothing in a dry run, and without permission', async () => {
    const dry = await run(['--branch', 'x', '--dry-run'], []);
    const figures = '5 builds (3.0 MB, less than $0.01 per month)';
    expect(dry).toMatchObject({
      error: null,
      stdout: `${figures} would be deleted. 1 build is protected and stays.\nand 5 more\n`,
    });
    const { sent, error } = await run(['--branch', 'x'], []);
    expect(error?.message).toBe(`This moves ${figures} to the trash. Repeat the command with --yes.`);
    expect([dry.sent, sent].map((bodies) => bodies.length)).toEqual([1, 1]);
  });

  it('sends nothing without a condition, and with builds beside conditions', async () => {
    for (const args of [['--yes'], ['latest', '--branch', 'x', '--yes']]) {
      const { sent, error } = await run(args, []);
      expect([sent, error?.message]).toEqual([[], expect.stringContaining('Name builds, or select them by --branch')]);
    }
  });
});
