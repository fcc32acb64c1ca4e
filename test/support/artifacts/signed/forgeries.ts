import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { certificate } from '../der-writer';
import { apkFiles } from '../valid-artifacts';
import { zip } from '../zip-writer';
import { type BlockScheme, padded, type SchemeSigner, signPackage } from './sign-package';
import { type BlockPair, joined, partsOf } from './signed-package';

const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

/** The certificate of a developer whose private key the attacker does not have. */
export const VICTIM = certificate({ CN: 'Victim' }, 8, undefined, publicKey.export({ type: 'spki', format: 'der' }));

const SUBJECT = { CN: 'Attacker' };
export const ATTACKER = certificate(SUBJECT);

const MIN_SDKS = { v3: 28, 'v3.1': 33 } as const;

/** A package of an attacker, with a block that pretends to be of another developer. */
export interface Forgery {
  readonly minSdk: number;
  /** The schemes that the attacker signed. */
  readonly genuine: readonly ('v1' | BlockScheme)[];
  readonly forged: BlockScheme;
  readonly algorithm: number;
  /** Whether the forged pair stands before the genuine ones, where devices find it first. */
  readonly isFirst: boolean;
}

/** The forgeries with all known algorithms, one that nobody knows, and no signature at all. */
export const forgery: fc.Arbitrary<Forgery> = fc.record({
  minSdk: fc.constantFrom(21, 24, 28, 33),
  genuine: fc.constantFrom<Forgery['genuine'][]>(['v1'], ['v1', 'v2'], ['v2'], ['v2', 'v3'], ['v1', 'v2', 'v3']),
  forged: fc.constantFrom<BlockScheme[]>('v2', 'v3', 'v3.1'),
  algorithm: fc.constantFrom(0, 0x0101, 0x0102, 0x0103, 0x0104, 0x0201, 0x0301, 0x0421, 0x0423, 0x0425, 0x0999),
  isFirst: fc.boolean(),
});

export function forged({ minSdk, genuine, forged: scheme, algorithm, isFirst }: Forgery): Buffer {
  const unsigned = zip(apkFiles({ minSdk, targetSdk: 29, schemes: genuine, subject: SUBJECT }));
  const blocks = genuine.filter((each) => each !== 'v1');
  // With fs-verity, so that the contents end with a page as its algorithms require.
  const signers = blocks.map((each): SchemeSigner => ({ scheme: each, algorithms: [0x0201, 0x0423] }));
  const { pairs, ...parts } = partsOf(signPackage(unsigned, signers, ATTACKER));
  const own = pairs.slice(0, blocks.length);
  const algorithms = algorithm === 0 ? [] : [algorithm];
  const pretended: SchemeSigner = { scheme, certificate: VICTIM, algorithms, isForged: true };
  const [pair] = partsOf(signPackage(unsigned, [pretended], VICTIM)).pairs as [BlockPair];
  return joined({ ...parts, pairs: padded(isFirst ? [pair, ...own] : [...own, pair]) });
}

/** Whether devices of the app look at the forged pair. */
export const isForgeryUsed = ({ minSdk, genuine, forged: scheme, isFirst }: Forgery): boolean => {
  const isShadowed = !isFirst && genuine.includes(scheme);
  const newer = (['v3.1', 'v3'] as const).slice(0, scheme === 'v2' ? 2 : scheme === 'v3' ? 1 : 0);
  return !isShadowed && newer.every((each) => !genuine.includes(each) || minSdk < MIN_SDKS[each]);
};

/** Whether devices accept what the attacker signed. */
export const isGenuineValid = ({ minSdk, genuine }: Forgery): boolean => minSdk >= 24 || genuine.includes('v1');
