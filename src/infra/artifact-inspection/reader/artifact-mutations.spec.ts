import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '#kernel/errors/app-error';
import { BufferSource } from '../../../../test/support/artifacts/buffer-source';
import { certificate } from '../../../../test/support/artifacts/der-writer';
import { signPackage } from '../../../../test/support/artifacts/signed/sign-package';
import { joined, partsOf } from '../../../../test/support/artifacts/signed/signed-package';
import { aab, aabFiles, apk, apkFiles, ipa, ipaFiles } from '../../../../test/support/artifacts/valid-artifacts';
import { zip, type ZipFile } from '../../../../test/support/artifacts/zip-writer';
import { readArtifact } from './artifact-reader';

const MUTATIONS = 400;
const SEED = 20_261_120;

/** mulberry32: a small reproducible random number generator. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

function mutate(bytes: Buffer, random: (below: number) => number): Buffer {
  const copy = Buffer.from(bytes);
  if (random(10) === 0) return copy.subarray(0, random(copy.length));
  const changes = 1 + random(8);
  for (let change = 0; change < changes && copy.length > 0; change += 1) {
    copy[random(copy.length)] = [0x00, 0xff, 0x7f, 0x80, random(256)][random(5)] ?? 0;
  }
  return copy;
}

/** Mutates one file and writes a new zip, so that the mutation passes the CRC check and reaches the parsers. */
function mutateOneFile(files: readonly ZipFile[], random: (below: number) => number): Buffer {
  const chosen = random(files.length);
  const changed = files.map((file, at) =>
    at === chosen ? { ...file, method: 0, data: mutate(Buffer.from(file.data), random) } : file,
  );
  return zip(changed);
}

/** Mutates one pair of the signing block, which keeps its place. */
function mutateBlock(bytes: Buffer, random: (below: number) => number): Buffer {
  const parts = partsOf(bytes);
  const chosen = random(parts.pairs.length);
  const pairs = parts.pairs.map((pair, at) => (at === chosen ? { ...pair, value: mutate(pair.value, random) } : pair));
  return joined({ ...parts, pairs });
}

/** Signed by all schemes, with trees of fs-verity and a changed key. */
const SIGNED = [
  signPackage(
    zip(apkFiles({ schemes: [] })),
    [
      { scheme: 'v2', algorithms: [0x0201, 0x0423] },
      { scheme: 'v3', range: [28, 32], attributes: [{ id: 0x559f8b02, value: 33 }] },
      { scheme: 'v3.1', algorithms: [0x0423] },
    ],
    certificate({ CN: 'Release' }),
  ),
  readFileSync(join(__dirname, '../../../../test/fixtures/artifacts/signed/v1-v2-v3-rotated.apk')),
];

const SAMPLES = [
  { fileName: 'demo.ipa', bytes: ipa(), files: ipaFiles() },
  { fileName: 'demo.ipa', bytes: ipa({ binary: false }), files: ipaFiles({ binary: false }) },
  { fileName: 'demo.apk', bytes: apk({ schemes: ['v1', 'v2', 'v3'] }), files: apkFiles({ schemes: ['v1'] }) },
  { fileName: 'demo.aab', bytes: aab(), files: aabFiles() },
];

it(`readArtifact either reads or rejects each of ${MUTATIONS} damaged files`, async () => {
  jest.spyOn(console, 'error').mockReturnValue();
  const random = numbers(SEED);
  const outcomes = { read: 0, rejected: 0 };
  for (let round = 0; round < MUTATIONS; round += 1) {
    const sample = SAMPLES[random(SAMPLES.length)] as (typeof SAMPLES)[number];
    const bytes = random(3) === 0 ? mutate(sample.bytes, random) : mutateOneFile(sample.files, random);
    const outcome = await readArtifact(new BufferSource(bytes), sample.fileName).catch((error: unknown) => error);
    if (outcome instanceof Error) {
      expect(outcome).toBeInstanceOf(AppError);
      expect(outcome).toMatchObject({ errorCase: 'invalid_input', details: { reason: expect.any(String) as string } });
      outcomes.rejected += 1;
    } else {
      outcomes.read += 1;
    }
  }
  expect(outcomes.read).toBeGreaterThan(20);
  expect(outcomes.rejected).toBeGreaterThan(20);
});

// red when: a parser of signing blocks throws, or accepts a changed block of a scheme that devices use
it(`readArtifact judges each of ${MUTATIONS} packages with a damaged signing block`, async () => {
  const random = numbers(SEED);
  const verdicts = new Set<unknown>();
  for (let round = 0; round < MUTATIONS; round += 1) {
    const sample = SIGNED[random(SIGNED.length)] as Buffer;
    const bytes = mutateBlock(sample, random);
    const { signing } = await readArtifact(new BufferSource(bytes), 'demo.apk');
    const { verification, certificateVerified } = signing?.platform === 'android' ? signing : {};
    expect(verification?.verified).not.toBeNull();
    expect(certificateVerified).toBe(verification?.verifiedSchemes.length !== 0);
    verdicts.add(verification?.verified);
  }
  expect(verdicts).toContain(false);
});
