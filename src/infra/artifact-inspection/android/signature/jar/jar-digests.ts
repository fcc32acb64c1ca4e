import { createHash } from 'node:crypto';
import { type JarSection } from './jar-manifest';

/** From this API level on, devices check the strongest digest. Older ones check the first one that they know. */
const STRONGEST_SINCE = 18;
const STRONGEST_FIRST = ['sha-512', 'sha-384', 'sha-256', 'sha1'];
const HASHES: Readonly<Record<string, string>> = {
  md5: 'md5',
  sha: 'sha1',
  sha1: 'sha1',
  'sha-1': 'sha1',
  'sha-256': 'sha256',
  'sha-384': 'sha384',
  'sha-512': 'sha512',
};

/** A digest that devices check. */
export interface JarDigest {
  /** The name of the hash function. */
  readonly hash: string;
  readonly value: Buffer;
}

/**
 * The digests that devices from `minSdk` on check. Empty when some of them find none.
 * @param suffix of the attribute, such as `-digest`.
 */
export function digestsToCheck({ attributes }: JarSection, suffix: string, minSdk: number): JarDigest[] {
  const digestNamed = (name: string): JarDigest | null => {
    const value = attributes.get(name + suffix);
    const hash = HASHES[name];
    return value === undefined || hash === undefined ? null : { hash, value: Buffer.from(value, 'base64') };
  };
  const firstOf = (names: readonly string[]): JarDigest | undefined =>
    names.map(digestNamed).find((digest) => digest !== null);
  const strongest = firstOf(STRONGEST_FIRST);
  if (minSdk >= STRONGEST_SINCE) return strongest ? [strongest] : [];
  const announced = (attributes.get('digest-algorithms') ?? 'sha sha1').toLowerCase().split(/\s+/);
  const first = firstOf(announced);
  if (!first) return [];
  return strongest && strongest.hash !== first.hash ? [first, strongest] : [first];
}

export const isDigestOf = (content: Buffer, { hash, value }: JarDigest): boolean =>
  createHash(hash).update(content).digest().equals(value);
