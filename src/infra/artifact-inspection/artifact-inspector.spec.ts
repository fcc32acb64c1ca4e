import { AppError } from '#kernel/errors/app-error';
import { BufferSource } from '../../../test/support/artifacts/buffer-source';
import { apk, apkFiles, ipa } from '../../../test/support/artifacts/valid-artifacts';
import { zip } from '../../../test/support/artifacts/zip-writer';
import { ArtifactInspector } from './artifact-inspector';
import { readArtifact } from './reader/artifact-reader';
import { type ArtifactSource } from './artifact-source';

/** A source whose reads a test lets through, or fails, when it likes. */
class HeldSource extends BufferSource {
  private release: () => void = () => undefined;
  private readonly gate = new Promise<void>((resolve) => (this.release = resolve));
  asked = false;

  signal: AbortSignal | undefined;

  override async read(offset: number, length: number, signal?: AbortSignal): Promise<Buffer> {
    this.asked = true;
    this.signal = signal;
    await this.gate;
    return super.read(offset, length);
  }

  letGo(): void {
    this.release();
  }
}

const until = async (condition: () => boolean): Promise<void> => {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
};

describe('the inspector', () => {
  it('tells what the reader tells, from a thread of its own', async () => {
    const source = () => new BufferSource(apk({ abis: ['x86'] }));
    const inspected = await new ArtifactInspector().inspect(source(), 'demo.apk');
    expect(inspected).toEqual(await readArtifact(source(), 'demo.apk'));
    expect(inspected.icon?.bytes).toBeInstanceOf(Buffer);
  });

  it('keeps dates dates', async () => {
    const inspected = await new ArtifactInspector().inspect(new BufferSource(ipa()), 'demo.ipa');
    expect(inspected.signing).toMatchObject({ expiresAt: new Date('2040-01-01T00:00:00Z') });
  });

  it('passes refusals on', async () => {
    const inspecting = new ArtifactInspector().inspect(new BufferSource(apk()), 'demo.ipa');
    await expect(inspecting).rejects.toMatchObject({
      errorCase: 'invalid_input',
      details: { reason: 'wrong_type' },
      message: expect.stringContaining('.apk') as string,
    });
  });

  it('asks the storage seldom', async () => {
    const many = Array.from({ length: 3_000 }, (_, at) => ({
      name: `assets/${at}.bin`,
      data: `content ${at}`,
      method: 0,
    }));
    const source = new BufferSource(zip([...apkFiles(), ...many]));
    await new ArtifactInspector().inspect(source, 'demo.apk');
    expect(source.reads).toBeLessThanOrEqual(4);
  });

  it('survives a thread that runs out of memory', async () => {
    const names = Array.from({ length: 60_000 }, (_, at) => ({ name: `${'a'.repeat(200)}${at}`, data: '', method: 0 }));
    const source = new BufferSource(zip([...apkFiles(), ...names]));
    const inspecting = new ArtifactInspector({ heapMb: 24 }).inspect(source, 'demo.apk');
    await expect(inspecting).rejects.toMatchObject({ errorCase: 'invalid_input', details: { reason: 'too_complex' } });
  });

  it('ends a thread that takes too long', async () => {
    const inspecting = new ArtifactInspector({ workMs: 1 }).inspect(new BufferSource(ipa()), 'demo.ipa');
    await expect(inspecting).rejects.toMatchObject({ errorCase: 'invalid_input', details: { reason: 'too_complex' } });
  });

  it('is not impatient with the storage', async () => {
    const startedAt = performance.now();
    await new ArtifactInspector().inspect(new BufferSource(ipa()), 'demo.ipa');
    const workMs = 500 + 4 * (performance.now() - startedAt);
    const source = new HeldSource(ipa());
    const inspecting = new ArtifactInspector({ workMs }).inspect(source, 'demo.ipa');
    await until(() => source.asked);
    await new Promise((resolve) => setTimeout(resolve, workMs + 50));
    source.letGo();
    expect(await inspecting).toMatchObject({ bundleId: 'com.example.demo' });
  });

  it("passes the storage's own failure on", async () => {
    const failure = new AppError('storage_backend_unavailable');
    const source: ArtifactSource = { sizeBytes: 1_000, read: () => Promise.reject(failure) };
    await expect(new ArtifactInspector().inspect(source, 'demo.ipa')).rejects.toBe(failure);
  });

  it('reads so many at once, and the others in their turn, whatever happens to the first', async () => {
    const inspector = new ArtifactInspector({ concurrency: 1 });
    const first = new HeldSource(Buffer.alloc(1_000));
    const second = new HeldSource(ipa());
    const refused = inspector.inspect(first, 'demo.ipa').catch((error: unknown) => error);
    const read = inspector.inspect(second, 'demo.ipa');
    second.letGo();
    await until(() => first.asked);
    expect(second.asked).toBe(false);
    first.letGo();
    expect(await refused).toMatchObject({ details: { reason: 'not_an_archive' } });
    expect(await read).toMatchObject({ bundleId: 'com.example.demo' });
  });

  // red when: waiting for the storage has no end; or the read goes on
  it('is patient with the storage for so long, and then lets go of it', async () => {
    const source = new HeldSource(ipa());
    const inspecting = new ArtifactInspector({ totalMs: 200 }).inspect(source, 'demo.ipa');
    await expect(inspecting).rejects.toMatchObject({
      errorCase: 'storage_backend_unavailable',
      cause: { trouble: 'timeout' },
    });
    await until(() => source.signal?.aborted !== false);
  });

  // red when: a lane takes more than one place, or keeps it; or waits in the way of others
  it('reads one at a time of a lane, and others meanwhile', async () => {
    const inspector = new ArtifactInspector({ concurrency: 2 });
    const slow = Array.from({ length: 3 }, () => new HeldSource(ipa()));
    const reading = slow.map((source) => inspector.inspect(source, 'demo.ipa', 'slow'));
    await until(() => slow[0]!.asked);
    expect(await inspector.inspect(new BufferSource(ipa()), 'demo.ipa', 'other')).toMatchObject({ kind: 'ipa' });
    expect(await inspector.inspect(new BufferSource(ipa()), 'demo.ipa')).toMatchObject({ kind: 'ipa' });
    expect(slow.map(({ asked }) => asked)).toEqual([true, false, false]);
    for (const source of slow) {
      await until(() => source.asked);
      source.letGo();
    }
    expect(await Promise.all(reading)).toHaveLength(3);
  });

  it('starts no thread for what is not read', async () => {
    const source: ArtifactSource = { sizeBytes: 5, read: () => Promise.reject(new Error('not asked for')) };
    expect(await new ArtifactInspector().inspect(source, 'demo.dmg')).toMatchObject({ kind: 'other' });
  });
});
