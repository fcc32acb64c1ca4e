import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BufferSource } from '../../../../../test/support/artifacts/buffer-source';
import { certificate } from '../../../../../test/support/artifacts/der-writer';
import { mutationsOf } from '../../../../../test/support/artifacts/signed/mutations';
import { partsOf, joined, rewritten, filesOf } from '../../../../../test/support/artifacts/signed/signed-package';
import { signPackage } from '../../../../../test/support/artifacts/signed/sign-package';
import { type AndroidOptions, apk, apkFiles } from '../../../../../test/support/artifacts/valid-artifacts';
import { zip } from '../../../../../test/support/artifacts/zip-writer';
import { type ArtifactSource } from '../../artifact-source';
import { ChunkHasher } from '../../received-hashes';
import { type SignatureVerification } from '../../inspected-artifact';
import { readArtifact } from '../../reader/artifact-reader';

const SIGNED = join(__dirname, '../../../../../test/fixtures/artifacts/signed');
const VERDICTS = JSON.parse(readFileSync(join(SIGNED, 'verdicts.json'), 'utf8')) as Record<
  string,
  Record<string, boolean>
>;
const MEGABYTE = 1024 * 1024;

async function verify(source: ArtifactSource): Promise<SignatureVerification | undefined> {
  const { signing } = await readArtifact(source, 'demo.apk');
  return signing?.platform === 'android' ? signing.verification : undefined;
}

const verifyBytes = (bytes: Buffer): Promise<SignatureVerification | undefined> => verify(new BufferSource(bytes));

describe('the verification of signatures', () => {
  // The verdicts were recorded with Debian's apksigner (test/apksigner).
  it.each(Object.keys(VERDICTS))('agrees with apksigner on all mutations of %s', async (name) => {
    const sample = readFileSync(join(SIGNED, `${name}.apk`));
    const verdicts: Record<string, boolean> = {};
    const ignored: string[] = [];
    for (const [
      mutation,
      {
        bytes,
        mutation: { isIgnoredByApksigner },
      },
    ] of mutationsOf(sample)) {
      const isValid = (await verifyBytes(bytes).catch(() => undefined))?.verified === true;
      if (!isIgnoredByApksigner) verdicts[mutation] = isValid;
      else if (isValid) ignored.push(mutation);
    }
    expect(verdicts).toEqual(VERDICTS[name]);
    expect(ignored).toEqual([]);
  });

  it.each<[AndroidOptions, SignatureVerification['verifiedSchemes']]>([
    [{ schemes: ['v1', 'v2', 'v3'], minSdk: 21 }, ['v1', 'v2', 'v3']],
    [{ schemes: ['v1', 'v2', 'v3'], minSdk: 24 }, ['v2', 'v3']],
    [{ schemes: ['v2', 'v3'], minSdk: 28 }, ['v3']],
    [{ schemes: ['v2', 'v3', 'v3.1'], minSdk: 24 }, ['v2', 'v3', 'v3.1']],
    [{ schemes: ['v2', 'v3', 'v3.1'], minSdk: 33 }, ['v3.1']],
  ])('checks the schemes that devices from the minimum API level on use: %j', async (options, verifiedSchemes) => {
    expect(await verifyBytes(apk(options))).toEqual({ verified: true, verifiedSchemes, problem: null });
  });

  it('is not done for an unsigned package', async () => {
    expect(await verifyBytes(apk({ schemes: [] }))).toEqual({ verified: null, verifiedSchemes: [], problem: null });
  });

  // red when: the certificates of the schemes are not compared
  it('finds schemes that were signed with different certificates', async () => {
    const [ours, theirs] = [certificate({ CN: 'Ours' }), certificate({ CN: 'Theirs' })];
    const unsigned = zip(apkFiles({ schemes: [] }));
    const [v2] = partsOf(signPackage(unsigned, ['v2'], ours)).pairs;
    const [v3] = partsOf(signPackage(unsigned, ['v3'], theirs)).pairs;
    const bytes = joined({ ...partsOf(unsigned), pairs: [v2!, v3!] });
    expect(await verifyBytes(bytes)).toMatchObject({
      verified: false,
      problem: { scheme: 'v3', code: 'signers_differ' },
    });
  });

  // red when: v3.1 is not verified
  it('finds a changed file in a package with v3.1', async () => {
    const bytes = apk({ schemes: ['v2', 'v3', 'v3.1'], minSdk: 33 });
    expect(await verifyBytes(rewritten(bytes, filesOf(bytes).slice(1).concat(filesOf(bytes)[0]!)))).toMatchObject({
      verified: false,
      problem: { scheme: 'v3.1', code: 'content_changed' },
    });
  });

  it('does not check signatures for fs-verity', async () => {
    const { pairs, ...parts } = partsOf(apk());
    const value = Buffer.from(pairs[0]!.value);
    for (let at = value.indexOf('01020000', 'hex'); at >= 0; at = value.indexOf('01020000', at + 1, 'hex'))
      value.writeUInt32LE(0x0423, at);
    expect(await verifyBytes(joined({ ...parts, pairs: [{ id: pairs[0]!.id, value }] }))).toEqual({
      verified: null,
      verifiedSchemes: [],
      problem: { scheme: 'v2', code: 'algorithm_not_checked' },
    });
  });

  describe('of a package of several megabytes', () => {
    const data = Buffer.alloc(3 * MEGABYTE + 5, 'content ');
    const large = apk({ files: [{ name: 'assets/large.bin', data, method: 0 }] });
    const chunksOf = (bytes: Buffer) => {
      const hasher = new ChunkHasher();
      // The network may split the data anywhere.
      for (let at = 0; at < bytes.length; at += 300_001) hasher.add(bytes.subarray(at, at + 300_001));
      return hasher.chunks;
    };

    it('uses the digests of the upload, and reads only the rest', async () => {
      const source = new BufferSource(large);
      let readBytes = 0;
      const read = (offset: number, length: number): Promise<Buffer> => {
        readBytes += length;
        return source.read(offset, length);
      };
      const counted = { sizeBytes: large.length, chunks: chunksOf(large), read };
      expect(await verify(counted)).toMatchObject({ verified: true });
      const withDigests = readBytes;
      readBytes = 0;
      expect(await verify({ ...counted, chunks: undefined })).toMatchObject({ verified: true });
      expect(withDigests).toBeLessThanOrEqual(readBytes);
    });

    it.each([100_000, 1_500_000, 3 * MEGABYTE])('finds a byte that was changed at %d', async (at) => {
      const changed = Buffer.from(large);
      changed[at] = (changed[at] ?? 0) ^ 1;
      const expected = { verified: false, problem: { scheme: 'v2', code: 'content_changed' } };
      expect(await verifyBytes(changed)).toMatchObject(expected);
      const source = new BufferSource(changed);
      const read = (offset: number, length: number): Promise<Buffer> => source.read(offset, length);
      expect(await verify({ sizeBytes: changed.length, read, chunks: chunksOf(changed) })).toMatchObject(expected);
    });
  });
});
