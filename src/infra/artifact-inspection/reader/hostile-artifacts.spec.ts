import { AppError } from '#kernel/errors/app-error';
import { BufferSource } from '../../../../test/support/artifacts/buffer-source';
import { bytesOf, hostileArtifacts } from '../../../../test/support/artifacts/hostile-artifacts';
import { readArtifact } from './artifact-reader';

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

describe('readArtifact, without a worker,', () => {
  const all = hostileArtifacts();

  it('is tested with at least 100 hostile artifacts', () => {
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
    expect(all.length).toBeGreaterThanOrEqual(100);
  });

  it.each(all.map((artifact) => [artifact.name, artifact] as const))('rejects: %s', async (_, artifact) => {
    const error = await failureOf(readArtifact(new BufferSource(bytesOf(artifact)), artifact.fileName));
    expect(error).toBeInstanceOf(AppError);
    expect(error).toMatchObject({ errorCase: 'invalid_input', details: { reason: artifact.reason } });
  });
});
