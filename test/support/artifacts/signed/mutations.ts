import { filesOf, joined, partsOf, rewritten, type SignedPackage } from './signed-package';

/** A change of a signed package. `null` when it does not apply to the package. */
export interface Mutation {
  readonly name: string;
  readonly change: (bytes: Buffer) => Buffer | null;
  /** Devices reject the package, but `apksigner` ignores errors that concern all signers of a scheme when another scheme verifies. */
  readonly isIgnoredByApksigner?: true;
}

/** The packages that a mutation makes of a sample, by the name of the mutation. */
export function mutationsOf(sample: Buffer): Map<string, { readonly bytes: Buffer; readonly mutation: Mutation }> {
  const changed = MUTATIONS.map((mutation) => ({ mutation, bytes: mutation.change(sample) }));
  return new Map(
    changed.flatMap(({ mutation, bytes }) => (bytes ? [[mutation.name, { bytes, mutation }] as const] : [])),
  );
}

const SCHEMES = { v2: 0x7109871a, v3: 0xf05368c0 } as const;
type Scheme = keyof typeof SCHEMES;

const flipped = (bytes: Buffer, at: number): Buffer => {
  const copy = Buffer.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ 0x01;
  return copy;
};

const withParts =
  (change: (parts: SignedPackage) => Partial<SignedPackage> | null) =>
  (bytes: Buffer): Buffer | null => {
    const parts = partsOf(bytes);
    const changed = change(parts);
    return changed && joined({ ...parts, ...changed });
  };

/** Changes the first pair of a scheme. */
const withPair =
  (scheme: Scheme, change: (value: Buffer) => Buffer[]) =>
  (bytes: Buffer): Buffer | null => {
    const parts = partsOf(bytes);
    const id = SCHEMES[scheme];
    if (!parts.pairs.some((pair) => pair.id === id)) return null;
    const pairs = parts.pairs.flatMap((pair) =>
      pair.id === id ? change(pair.value).map((value) => ({ id, value })) : [pair],
    );
    return joined({ ...parts, pairs });
  };

/** The offsets of the parts of a scheme's first signer. */
function signerAt(value: Buffer, scheme: Scheme): { data: number; digest: number; signature: number; key: number } {
  const data = 12;
  const signatures = data + value.readUInt32LE(8) + (scheme === 'v3' ? 8 : 0);
  const key = signatures + 4 + value.readUInt32LE(signatures);
  return { data, digest: data + 30, signature: signatures + 40, key: key + 40 };
}

const inSigner = (scheme: Scheme, part: 'digest' | 'signature' | 'key'): Mutation['change'] =>
  withPair(scheme, (value) => [flipped(value, signerAt(value, scheme)[part])]);

const withFiles =
  (change: (files: ReturnType<typeof filesOf>) => ReturnType<typeof filesOf> | null) =>
  (bytes: Buffer): Buffer | null => {
    const files = change(filesOf(bytes));
    return files && rewritten(bytes, files);
  };

/** Changes one file. `null` when the package does not contain it. */
const inFile = (pattern: RegExp, change: (data: Buffer) => Buffer): Mutation['change'] =>
  withFiles((files) => {
    const chosen = files.find(({ name }) => pattern.test(String(name)));
    return chosen
      ? files.map((file) => (file === chosen ? { ...file, data: change(Buffer.from(file.data)) } : file))
      : null;
  });

const perScheme = (scheme: Scheme): Mutation[] => [
  { name: `${scheme}: a byte of the signature`, change: inSigner(scheme, 'signature') },
  { name: `${scheme}: a byte of the signed digest`, change: inSigner(scheme, 'digest') },
  { name: `${scheme}: a byte of the public key`, change: inSigner(scheme, 'key') },
  {
    name: `${scheme}: the length of the signers`,
    change: withPair(scheme, (value) => [flipped(value, 1)]),
    isIgnoredByApksigner: true,
  },
  { name: `${scheme}: no signers`, change: withPair(scheme, () => [Buffer.alloc(4)]), isIgnoredByApksigner: true },
  { name: `${scheme}: removed`, change: withPair(scheme, () => []) },
  { name: `${scheme}: a broken second one`, change: withPair(scheme, (value) => [value, Buffer.alloc(9)]) },
  {
    name: `${scheme}: a broken first one`,
    change: withPair(scheme, (value) => [Buffer.alloc(9), value]),
    isIgnoredByApksigner: true,
  },
];

/** Changes of all parts of a package. Some leave its signature valid, because it does not cover them. */
export const MUTATIONS: readonly Mutation[] = [
  { name: 'unchanged', change: (bytes) => bytes },
  { name: 'contents: a byte', change: (bytes) => flipped(bytes, 60) },
  {
    // The last byte can be behind the compressed data that a reader needs.
    name: 'contents: a byte near the end',
    change: withParts(({ contents }) => ({ contents: flipped(contents, contents.length - 12) })),
  },
  {
    name: 'contents: bytes after the last file',
    change: withParts(({ contents }) => ({ contents: Buffer.concat([contents, Buffer.alloc(64)]) })),
  },
  { name: 'directory: an attribute', change: withParts(({ directory }) => ({ directory: flipped(directory, 38) })) },
  { name: 'end: a comment', change: withParts(({ end }) => ({ end: withComment(end) })) },
  { name: 'end: appended bytes', change: (bytes) => Buffer.concat([bytes, Buffer.from('appended')]) },
  { name: 'end: truncated by a byte', change: (bytes) => bytes.subarray(0, -1) },
  { name: 'end: truncated in the middle', change: (bytes) => bytes.subarray(0, bytes.length / 2) },
  {
    name: 'block: another pair',
    change: withParts(({ pairs }) =>
      pairs.length > 0 ? { pairs: [...pairs, { id: 0x504b4453, value: Buffer.alloc(100) }] } : null,
    ),
  },
  {
    name: 'block: padding',
    change: withParts(({ pairs }) =>
      pairs.length > 0 ? { pairs: [...pairs, { id: 0x42726577, value: Buffer.alloc(4096) }] } : null,
    ),
  },
  { name: 'block: removed', change: withParts(({ pairs }) => (pairs.length > 0 ? { pairs: [] } : null)) },
  { name: 'block: the magic', change: inFooter(-1) },
  { name: 'block: the size', change: inFooter(-24) },
  ...perScheme('v2'),
  ...perScheme('v3'),
  { name: 'files: one changed', change: inFile(/^AndroidManifest\.xml$/, (data) => flipped(data, data.length - 1)) },
  { name: 'files: one added', change: withFiles((files) => [...files, { name: 'assets/new.txt', data: 'new' }]) },
  {
    name: 'files: one added to META-INF',
    change: withFiles((files) => [...files, { name: 'META-INF/new.txt', data: 'new' }]),
  },
  {
    name: 'files: one removed',
    change: withFiles((files) => files.filter(({ name }) => name !== 'res/b.png')),
  },
  {
    name: 'v1: the manifest',
    change: inFile(/MANIFEST\.MF$/, (data) => Buffer.concat([data, Buffer.from('X: y\r\n')])),
  },
  { name: 'v1: a digest in the manifest', change: inFile(/MANIFEST\.MF$/, (data) => flipped(data, data.length - 10)) },
  { name: 'v1: the signature file', change: inFile(/\.SF$/, (data) => flipped(data, data.length - 10)) },
  { name: 'v1: the signature', change: inFile(/\.(RSA|EC|DSA)$/, (data) => flipped(data, data.length - 10)) },
  {
    name: 'v1: removed',
    change: withFiles((files) => {
      const rest = files.filter(({ name }) => !String(name).startsWith('META-INF/'));
      return rest.length < files.length ? rest : null;
    }),
  },
];

function withComment(end: Buffer): Buffer {
  const changed = Buffer.concat([end, Buffer.from('a comment')]);
  changed.writeUInt16LE(9, 20);
  return changed;
}

/** Flips a byte of the block, by its distance from the directory. */
function inFooter(distance: number): Mutation['change'] {
  return (bytes) => {
    const { pairs, end } = partsOf(bytes);
    return pairs.length > 0 ? flipped(bytes, end.readUInt32LE(16) + distance) : null;
  };
}
