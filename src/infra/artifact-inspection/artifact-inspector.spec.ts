import threads from 'node:worker_threads';
import { AppError } from '#kernel/errors/app-error';
import { BufferSource } from '../../../test/support/artifacts/buffer-source';
import { apk, apkFiles, ipa } from '../../../test/support/artifacts/valid-artifacts';
import { zip } from '../../../test/support/artifacts/zip-writer';
import { until } from '../../../test/support/until';
import { ArtifactInspector } from './artifact-inspector';
import { type ArtifactSource } from './artifact-source';
import { readArtifact } from './reader/artifact-reader';

const TURN = { lane: 'organization' };

/** A source with reads that block until the test releases them. */
class BlockedSource extends BufferSource {
  private open: () => void = () => undefined;
  private readonly gate = new Promise<void>((resolve) => (this.open = resolve));
  wasRead = false;

  signal: AbortSignal | undefined;

  override async read(offset: number, length: number, signal?: AbortSignal): Promise<Buffer> {
    this.wasRead = true;
    this.signal = signal;
    await this.gate;
    return super.read(offset, length);
  }

  release(): void {
    this.open();
  }
}

describe('ArtifactInspector', () => {
  it('returns the same metadata as readArtifact, from a worker thread', async () => {
    const source = () => new BufferSource(apk({ abis: ['x86'] }));
    const inspected = await new ArtifactInspector().inspect(source(), 'demo.apk', TURN);
    expect(inspected).toEqual(await readArtifact(source(), 'demo.apk'));
    expect(inspected.icon?.bytes).toBeInstanceOf(Buffer);
  });

  it('returns dates as Date objects', async () => {
    const inspected = await new ArtifactInspector().inspect(new BufferSource(ipa()), 'demo.ipa', TURN);
    expect(inspected.signing).toMatchObject({ expiresAt: new Date('2040-01-01T00:00:00Z') });
  });

  it('rejects with the error of the reader', async () => {
    const inspecting = new ArtifactInspector().inspect(new BufferSource(apk()), 'demo.ipa', TURN);
    await expect(inspecting).rejects.toMatchObject({
      errorCase: 'invalid_input',
      details: { reason: 'wrong_type' },
      message: expect.stringContaining('.apk') as string,
    });
  });

  it('reads the source at most 4 times for an archive of 3000 files', async () => {
    const many = Array.from({ length: 3_000 }, (_, at) => ({
      name: `assets/${at}.bin`,
      data: `content ${at}`,
      method: 0,
    }));
    const source = new BufferSource(zip([...apkFiles(), ...many]));
    await new ArtifactInspector().inspect(source, 'demo.apk', TURN);
    expect(source.reads).toBeLessThanOrEqual(4);
  });

  it('rejects with too_complex when the worker runs out of memory', async () => {
    const names = Array.from({ length: 60_000 }, (_, at) => ({ name: `${'a'.repeat(200)}${at}`, data: '', method: 0 }));
    const source = new BufferSource(zip([...apkFiles(), ...names]));
    const inspecting = new ArtifactInspector({ heapMb: 24 }).inspect(source, 'demo.apk', TURN);
    await expect(inspecting).rejects.toMatchObject({ errorCase: 'invalid_input', details: { reason: 'too_complex' } });
  });

  // red when: the clock of the work runs while the thread starts, which takes longer than the timeout
  it('rejects with too_complex when the worker exceeds its work time, which its start is not part of', async () => {
    const source = new BufferSource(ipa());
    const inspecting = new ArtifactInspector({ workMs: 1 }).inspect(source, 'demo.ipa', TURN);
    await expect(inspecting).rejects.toMatchObject({ errorCase: 'invalid_input', details: { reason: 'too_complex' } });
    expect(source.reads).toBeGreaterThan(0);
  });

  describe('in a process that stalls for two seconds', () => {
    class StallingSource extends BufferSource {
      override async read(offset: number, length: number): Promise<Buffer> {
        // The thread has its bytes when the stall begins, and works during the stall.
        if (this.reads === 0) setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_000));
        return super.read(offset, length);
      }
    }
    const inspects = (workMs: number) =>
      new ArtifactInspector({ workMs }).inspect(new StallingSource(ipa()), 'demo.ipa', TURN);

    // red when: a stall longer than the work time ends the inspection before the result of the thread is read
    it('counts the stall as one tick of the work time', async () => {
      expect(await inspects(1_500)).toMatchObject({ bundleId: 'com.example.demo' });
    });

    // red when: stalls are without a limit, so that a file that causes them is inspected for long
    it('rejects with too_complex after four times the work time', async () => {
      await expect(inspects(400)).rejects.toMatchObject({ details: { reason: 'too_complex' } });
    });
  });

  it('does not count waiting for the source as work time', async () => {
    const startedAt = performance.now();
    await new ArtifactInspector().inspect(new BufferSource(ipa()), 'demo.ipa', TURN);
    const workMs = 500 + 4 * (performance.now() - startedAt);
    const source = new BlockedSource(ipa());
    const inspecting = new ArtifactInspector({ workMs }).inspect(source, 'demo.ipa', TURN);
    await until(() => source.wasRead);
    await new Promise((resolve) => setTimeout(resolve, workMs + 50));
    source.release();
    expect(await inspecting).toMatchObject({ bundleId: 'com.example.demo' });
  });

  it('rejects with the error of the source', async () => {
    const failure = new AppError('storage_backend_unavailable');
    const source: ArtifactSource = { sizeBytes: 1_000, read: () => Promise.reject(failure) };
    await expect(new ArtifactInspector().inspect(source, 'demo.ipa', TURN)).rejects.toBe(failure);
  });

  it('runs at most `concurrency` inspections, and starts the next one after a failed one', async () => {
    const inspector = new ArtifactInspector({ concurrency: 1 });
    const first = new BlockedSource(Buffer.alloc(1_000));
    const second = new BlockedSource(ipa());
    const rejected = inspector.inspect(first, 'demo.ipa', TURN).catch((error: unknown) => error);
    const read = inspector.inspect(second, 'demo.ipa', TURN);
    second.release();
    await until(() => first.wasRead);
    expect(second.wasRead).toBe(false);
    first.release();
    expect(await rejected).toMatchObject({ details: { reason: 'not_an_archive' } });
    expect(await read).toMatchObject({ bundleId: 'com.example.demo' });
  });

  // red when: waiting for the source has no timeout, or the read is not aborted
  it('times out and aborts the read when the source does not respond', async () => {
    const source = new BlockedSource(ipa());
    const inspecting = new ArtifactInspector({ totalMs: 200 }).inspect(source, 'demo.ipa', TURN);
    await expect(inspecting).rejects.toMatchObject({
      errorCase: 'storage_backend_unavailable',
      cause: { kind: 'timeout' },
    });
    await until(() => source.signal?.aborted !== false);
  });

  // red when: a slow store occupies both workers
  it('inspects one artifact of a slow store at a time, and those of other lanes beside it', async () => {
    const inspector = new ArtifactInspector({ concurrency: 2 });
    const slow = Array.from({ length: 3 }, () => new BlockedSource(ipa()));
    const reading = slow.map((source) => inspector.inspect(source, 'demo.ipa', { lane: 'slow', alone: true }));
    await until(() => slow[0]!.wasRead);
    expect(await inspector.inspect(new BufferSource(ipa()), 'demo.ipa', TURN)).toMatchObject({ kind: 'ipa' });
    expect(slow.map(({ wasRead }) => wasRead)).toEqual([true, false, false]);
    for (const source of slow) {
      await until(() => source.wasRead);
      source.release();
    }
    expect(await Promise.all(reading)).toHaveLength(3);
  });

  describe('reuses a thread', () => {
    const { Worker } = threads;
    let started: threads.Worker[];
    beforeEach(() => {
      started = [];
      jest.spyOn(threads, 'Worker').mockImplementation((...options) => {
        const thread = new Worker(...options);
        started.push(thread);
        return thread;
      });
    });
    afterEach(() => jest.restoreAllMocks());
    const inspector = (): ArtifactInspector => new ArtifactInspector({ concurrency: 1, reserved: 0 });
    const read = (by: ArtifactInspector, lane: string, bytes = ipa()): Promise<unknown> =>
      by.inspect(new BufferSource(bytes), 'demo.ipa', { lane }).catch((error: unknown) => error);

    it('for the next artifacts of its lane', async () => {
      const by = inspector();
      const expected = await readArtifact(new BufferSource(ipa()), 'demo.ipa');
      for (let count = 0; count < 3; count += 1) expect(await read(by, 'a')).toEqual(expected);
      expect(started).toHaveLength(1);
    });

    // red when: `take` does not compare the lanes
    it('not for another lane', async () => {
      const by = inspector();
      for (const lane of ['a', 'b', 'a']) expect(await read(by, lane)).toMatchObject({ kind: 'ipa' });
      expect(started).toHaveLength(3);
    });

    // red when: `giveBack` ignores `isReusable`
    it('not after a rejected artifact', async () => {
      const by = inspector();
      expect(await read(by, 'a', apk())).toBeInstanceOf(AppError);
      expect(await read(by, 'a')).toMatchObject({ kind: 'ipa' });
      expect(started).toHaveLength(2);
    });

    // red when: an idle thread that ends is not dropped
    it('not after the thread has ended', async () => {
      const by = inspector();
      await read(by, 'a');
      await started[0]?.terminate();
      expect(await read(by, 'a')).toMatchObject({ kind: 'ipa' });
      expect(started).toHaveLength(2);
    });
  });

  it('starts no worker for a file that is not parsed', async () => {
    const source: ArtifactSource = { sizeBytes: 5, read: () => Promise.reject(new Error('unexpected read')) };
    expect(await new ArtifactInspector().inspect(source, 'demo.dmg', TURN)).toMatchObject({ kind: 'other' });
  });
});
