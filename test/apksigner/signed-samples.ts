import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AndroidOptions, apk } from '../support/artifacts/valid-artifacts';
import { makeKey, makeLineage, sign, signAsJar } from './apksigner';

const RSA = ['-keyalg', 'RSA', '-keysize', '2048'];
const DSA = ['-keyalg', 'DSA', '-keysize', '2048'];

interface Sample {
  readonly name: string;
  readonly keys: readonly (readonly string[])[];
  /** Options of `apksigner sign`. */
  readonly schemes?: readonly string[];
  /** The algorithm of a v1 signature by `jarsigner`. */
  readonly jarAlgorithm?: string;
  readonly options?: AndroidOptions;
  /** Whether the second key replaces the first one. */
  readonly isRotated?: true;
}

const schemes = (...enabled: string[]): string[] =>
  ['v1', 'v2', 'v3'].flatMap((scheme) => [`--${scheme}-signing-enabled`, String(enabled.includes(scheme))]);

const SAMPLES: readonly Sample[] = [
  { name: 'v1-v2-v3-rsa', keys: [RSA], schemes: schemes('v1', 'v2', 'v3'), options: { minSdk: 21 } },
  { name: 'v1-rsa-sha1', keys: [RSA], schemes: schemes('v1'), options: { minSdk: 9, targetSdk: 28 } },
  { name: 'v1-target-30', keys: [RSA], schemes: schemes('v1'), options: { minSdk: 21, targetSdk: 30 } },
  { name: 'v2-min-21', keys: [RSA], schemes: schemes('v2'), options: { minSdk: 21 } },
  { name: 'v2-ec', keys: [['-keyalg', 'EC', '-groupname', 'secp256r1']], schemes: schemes('v2') },
  { name: 'v2-v3-rsa-4096', keys: [['-keyalg', 'RSA', '-keysize', '4096']], schemes: schemes('v2', 'v3') },
  {
    name: 'v1-v2-dsa',
    keys: [DSA],
    schemes: schemes('v1', 'v2'),
    options: { minSdk: 21 },
  },
  {
    name: 'v1-v2-ec-521',
    keys: [['-keyalg', 'EC', '-groupname', 'secp521r1']],
    schemes: schemes('v1', 'v2'),
    options: { minSdk: 21 },
  },
  { name: 'v1-v2-two-signers', keys: [RSA, RSA], schemes: schemes('v1', 'v2'), options: { minSdk: 21 } },
  {
    name: 'v1-v2-v3-rotated',
    keys: [RSA, RSA],
    schemes: schemes('v1', 'v2', 'v3'),
    options: { minSdk: 21 },
    isRotated: true,
  },
  { name: 'v3-min-28', keys: [RSA], schemes: schemes('v3'), options: { minSdk: 28 } },
  { name: 'v2-v3-verity', keys: [RSA], schemes: [...schemes('v2', 'v3'), '--verity-enabled', 'true'] },
  ...['MD5withRSA', 'SHA224withRSA', 'SHA384withRSA', 'SHA256withDSA', 'SHA384withDSA', 'SHA512withDSA'].map(
    (jarAlgorithm): Sample => ({
      name: `v1-${jarAlgorithm.toLowerCase().replace('with', '-')}`,
      keys: [jarAlgorithm.endsWith('DSA') ? DSA : RSA],
      jarAlgorithm,
      options: { minSdk: 22, targetSdk: 29 },
    }),
  ),
];

/** Signs a package of each kind with new keys. @returns the packages by name. */
export async function signSamples(folder: string): Promise<Map<string, Buffer>> {
  const keys = new Map<string, Promise<string>>();
  const keyOf = (options: readonly string[], at: number): Promise<string> => {
    const kind = [at, ...options].join();
    if (!keys.has(kind)) keys.set(kind, makeKey(folder, `key-${keys.size}`, options));
    return keys.get(kind)!;
  };
  const signed = new Map<string, Buffer>();
  for (const sample of SAMPLES) signed.set(sample.name, await signSample(folder, sample, keyOf));
  return signed;
}

async function signSample(
  folder: string,
  { name, keys, schemes: enabled, jarAlgorithm, options, isRotated }: Sample,
  keyOf: (options: readonly string[], at: number) => Promise<string>,
): Promise<Buffer> {
  const files: string[] = [];
  for (const [at, key] of keys.entries()) files.push(await keyOf(key, at));
  const [first = '', second = ''] = files;
  const lineage = isRotated ? ['--lineage', await makeLineage(folder, first, second)] : [];
  const file = join(folder, `${name}.apk`);
  await writeFile(file, apk({ ...options, schemes: [] }));
  if (enabled) await sign(file, files, [...enabled, ...lineage]);
  if (jarAlgorithm) await signAsJar(file, first, ['-digestalg', 'SHA-256', '-sigalg', jarAlgorithm]);
  return readFile(file);
}

/** A package with contents of several megabytes, which are hashed in several chunks. */
export async function signLarge(folder: string, key: readonly string[]): Promise<Buffer> {
  const file = join(folder, 'large.apk');
  const data = Buffer.alloc(2_500_000, 'content ');
  await writeFile(file, apk({ schemes: [], files: [{ name: 'assets/large.bin', data, method: 0 }] }));
  await sign(file, [await makeKey(folder, `large-${key.at(-1) ?? ''}`, key)], schemes('v2', 'v3'));
  return readFile(file);
}
