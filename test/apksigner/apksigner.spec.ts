import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { readArtifact } from '#infra/artifact-inspection/reader/artifact-reader';
import { BufferSource } from '../support/artifacts/buffer-source';
import { ATTACKER, forged, forgery } from '../support/artifacts/signed/forgeries';
import { mutationsOf } from '../support/artifacts/signed/mutations';
import { signPackage } from '../support/artifacts/signed/sign-package';
import { type AndroidOptions, apk, apkFiles } from '../support/artifacts/valid-artifacts';
import { zip } from '../support/artifacts/zip-writer';
import { keepClasses, verifiedByApksigner } from './apksigner';
import { signLarge, signSamples } from './signed-samples';

const FIXTURES = join(__dirname, '../fixtures/artifacts');
const RECORDED = join(FIXTURES, 'signed');
const DEMO = join(__dirname, '../../src/app/demo/assets');
/**
 * APK_SAMPLES: a folder with further packages, such as real apps. APK_MUTATIONS=all: each mutation of each package, in place of each
 * of every fifth package to which it applies, and all forgeries. The unit tests compare the service with recorded verdicts about all.
 */
const { APK_SAMPLES, APK_MUTATIONS, RECORD_VERDICTS } = process.env;
const EVERY = APK_MUTATIONS === 'all' || RECORD_VERDICTS ? 1 : 5;

/** Whether the service verifies a package. An upload that it rejects does not verify. */
const verifiedByService = (bytes: Buffer): Promise<boolean> =>
  readArtifact(new BufferSource(bytes), 'sample.apk').then(
    ({ signing }) => signing?.platform === 'android' && signing.verification?.verified === true,
    () => false,
  );

const packagesIn = async (folder: string): Promise<Map<string, Buffer>> => {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.apk'));
  return new Map(await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name))] as const)));
};

/**
 * Expects that apksigner and the service agree on each package. Verifies two packages at a time. Returns the verdicts of apksigner, by name.
 */
async function agree(folder: string, packages: ReadonlyMap<string, Buffer>): Promise<Record<string, boolean>> {
  const apksigner = new Map<string, boolean>();
  const service = new Map<string, boolean>();
  const waiting = packages.entries();
  const verifyOneAfterTheOther = async () => {
    for (const [name, bytes] of waiting) {
      apksigner.set(name, await verifiedByApksigner(folder, bytes));
      service.set(name, await verifiedByService(bytes));
    }
  };
  await Promise.all([verifyOneAfterTheOther(), verifyOneAfterTheOther()]);
  expect(service).toEqual(apksigner);
  expect(apksigner.size).toBe(packages.size);
  return Object.fromEntries([...packages.keys()].map((name) => [name, apksigner.get(name)!]));
}

describe('apksigner and the service', () => {
  let folder: string;
  let samples: Map<string, Buffer>;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'agate-apksigner-'));
    samples = await signSamples(folder);
    await keepClasses(folder, join(RECORDED, 'v1-v2-v3-rsa.apk'));
  }, 300_000);
  afterAll(() => rm(folder, { recursive: true }));

  it('agree on the packages of this repository', async () => {
    for (const each of [FIXTURES, RECORDED, DEMO]) await agree(folder, await packagesIn(each));
  });

  const withSamples = APK_SAMPLES ? it : it.skip;
  withSamples('agree on the packages in APK_SAMPLES and their mutations', async () => {
    for (const sample of (await packagesIn(APK_SAMPLES ?? '')).values()) await agree(folder, mutantsOf(sample));
  });

  it.each<[string, AndroidOptions]>([
    ['no signature', { schemes: [] }],
    ['a v1 signature', { schemes: ['v1'], minSdk: 21, targetSdk: 29 }],
    ['a v2 signature', {}],
    ['all signatures', { schemes: ['v1', 'v2', 'v3'], minSdk: 21 }],
  ])('agree on generated packages with %s', async (_, options) => {
    await agree(folder, new Map([['generated', apk(options)]]));
  });

  it.each([
    ['SHA-256', ['-keyalg', 'EC', '-groupname', 'secp256r1']],
    ['SHA-512', ['-keyalg', 'RSA', '-keysize', '4096']],
  ])('agree on a package whose contents are hashed with %s in several chunks', async (_, key) => {
    const large = await signLarge(folder, key);
    const changed = Buffer.from(large);
    changed[2_000_000] = 0;
    const verdicts = await agree(
      folder,
      new Map([
        ['signed', large],
        ['changed', changed],
      ]),
    );
    expect(verdicts).toEqual({ signed: true, changed: false });
  });

  // red when: a block that apksigner rejects counts as verified, or as unused
  it('agree on packages with forged blocks', async () => {
    const samples = fc.sample(forgery, { seed: 20_261_125, numRuns: 90 / EVERY });
    // The apksigner of Debian ignores v3.1.
    const known = samples.filter((each) => each.forged !== 'v3.1');
    await agree(folder, new Map(known.map((each) => [JSON.stringify(each), forged(each)])));
  }, 300_000);

  it.each([24, 28])('agree on generated packages with fs-verity from API level %d on', async (minSdk) => {
    const file = { name: 'assets/large.bin', data: Buffer.alloc(1_700_000, 'content '), method: 0 };
    const unsigned = zip(apkFiles({ schemes: [], minSdk, files: [file] }));
    const packages = [[0x0201, 0x0423], [0x0423]].map((algorithms) => {
      const bytes = signPackage(unsigned, [{ scheme: 'v2', algorithms }], ATTACKER);
      return [algorithms.join(), bytes] as const;
    });
    await agree(folder, new Map(packages));
  });

  // red when: a signature is accepted that devices reject, or the reverse
  it('agree on the mutations of newly signed packages', async () => {
    const recorded: Record<string, Record<string, boolean>> = {};
    const applied = new Map<string, number>();
    const isNext = ([mutation]: [string, Buffer]): boolean => {
      const times = applied.get(mutation) ?? 0;
      applied.set(mutation, times + 1);
      return times % EVERY === 0;
    };
    for (const [name, sample] of samples)
      recorded[name] = await agree(folder, new Map([...mutantsOf(sample)].filter(isNext)));
    expect(Object.values(recorded).flatMap((each) => Object.keys(each)).length).toBeGreaterThan(400 / EVERY);
    if (RECORD_VERDICTS) await record(samples, recorded);
  }, 900_000);
});

/** The mutations that apksigner judges as devices do. */
function mutantsOf(sample: Buffer): Map<string, Buffer> {
  const judged = [...mutationsOf(sample)].filter(([, { mutation }]) => !mutation.isIgnoredByApksigner);
  return new Map(judged.map(([name, { bytes }]) => [name, bytes]));
}

/** Writes the packages and verdicts that the unit tests use, which run without apksigner. */
async function record(samples: ReadonlyMap<string, Buffer>, verdicts: object): Promise<void> {
  for (const [name, bytes] of samples) await writeFile(join(RECORDED, `${name}.apk`), bytes);
  await writeFile(join(RECORDED, 'verdicts.json'), `${JSON.stringify(verdicts, null, 2)}\n`);
}
