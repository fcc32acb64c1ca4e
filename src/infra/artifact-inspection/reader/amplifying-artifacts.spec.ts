import { amplifyingArtifacts, ipaWithNestedOctets } from '../../../../test/support/artifacts/amplifying-artifacts';
import { BufferSource } from '../../../../test/support/artifacts/buffer-source';
import { apk, ipa } from '../../../../test/support/artifacts/valid-artifacts';
import { readArtifact } from './artifact-reader';

/** Several times the measured work, and less than a tenth of the work without a budget. */
const CPU_MS = 400;

const ATTEMPTS = 5;

/** Reads an artifact, and measures the CPU time of this process. */
async function inspect(bytes: Buffer, fileName: string): Promise<{ outcome: unknown; cpuMs: number }> {
  const before = process.cpuUsage();
  const outcome: unknown = await readArtifact(new BufferSource(bytes), fileName).catch((error: unknown) => error);
  const { user, system } = process.cpuUsage(before);
  return { outcome, cpuMs: (user + system) / 1000 };
}

/** The lowest cost of several attempts, because the garbage collector of this process can run during each of them. */
async function cheapest(bytes: Buffer, fileName: string): Promise<{ outcome: unknown; cpuMs: number }> {
  let best = await inspect(bytes, fileName);
  for (let attempt = 1; attempt < ATTEMPTS && best.cpuMs >= CPU_MS; attempt++) {
    const { outcome, cpuMs } = await inspect(bytes, fileName);
    if (cpuMs < best.cpuMs) best = { outcome, cpuMs };
  }
  return best;
}

describe('readArtifact', () => {
  // The first inspections compile the readers.
  beforeAll(async () => {
    await inspect(ipa(), 'demo.ipa');
    await inspect(apk(), 'demo.apk');
  });

  it('is tested with a nested profile of at most 6.5 KB', () => {
    expect(ipaWithNestedOctets().length).toBeLessThan(6_500);
  });

  // red when: a reader does not count its elements, references or bytes in the artifact's budget
  it.each(amplifyingArtifacts.map((artifact) => [artifact.name, artifact] as const))(
    'needs little CPU time for %s',
    async (_, { bytes, fileName, reason }) => {
      const { outcome, cpuMs } = await cheapest(bytes(), fileName);
      if (reason === null) expect(outcome).not.toBeInstanceOf(Error);
      else expect(outcome).toMatchObject({ errorCase: 'invalid_input', details: { reason } });
      expect(cpuMs).toBeLessThan(CPU_MS);
    },
  );
});
