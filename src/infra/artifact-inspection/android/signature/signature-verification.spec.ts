import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { BufferSource } from '../../../../../test/support/artifacts/buffer-source';
import { certificate, name } from '../../../../../test/support/artifacts/der-writer';
import {
  ATTACKER,
  forged,
  forgery,
  isForgeryUsed,
  isGenuineValid,
  VICTIM,
} from '../../../../../test/support/artifacts/signed/forgeries';
import { mutationsOf } from '../../../../../test/support/artifacts/signed/mutations';
import { signJar } from '../../../../../test/support/artifacts/signed/sign-jar';
import { type SchemeSigner, signPackage } from '../../../../../test/support/artifacts/signed/sign-package';
import { filesOf, joined, partsOf, rewritten } from '../../../../../test/support/artifacts/signed/signed-package';
import { type AndroidOptions, apk, apkFiles } from '../../../../../test/support/artifacts/valid-artifacts';
import { zip } from '../../../../../test/support/artifacts/zip-writer';
import { type ArtifactSource } from '../../artifact-source';
import { type SignatureVerification } from '../../inspected-artifact';
import { readArtifact } from '../../reader/artifact-reader';
import { ChunkHasher } from '../../received-hashes';

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

  const VERITY = [0x0201, 0x0423];
  const signed = (
    options: AndroidOptions,
    signers: readonly SchemeSigner[],
    files: AndroidOptions['files'] = [],
  ): Buffer => signPackage(zip(apkFiles({ ...options, files })), signers, ATTACKER);

  describe('of fs-verity', () => {
    const large = [{ name: 'assets/large.bin', data: Buffer.alloc(1_700_000, 'content '), method: 0 }];

    it.each([
      ['beside another algorithm', { schemes: [] }, VERITY],
      ['alone, when all devices know it', { schemes: [], minSdk: 28 }, [0x0423]],
    ])('verifies a tree %s', async (_, options, algorithms) => {
      const bytes = signed(options, [{ scheme: 'v2', algorithms }], large);
      expect(await verifyBytes(bytes)).toEqual({ verified: true, verifiedSchemes: ['v2'], problem: null });
    });

    it('rejects a tree alone, when the oldest devices do not know it', async () => {
      const bytes = signed({ schemes: [] }, [{ scheme: 'v2', algorithms: [0x0423] }]);
      const problem = { scheme: 'v2', code: 'algorithm_unknown' };
      expect(await verifyBytes(bytes)).toEqual({ verified: false, verifiedSchemes: [], problem });
    });

    // red when: the tree is not compared with the contents
    it.each([0, 4095, 4096, 1_500_000])('finds a byte that was changed at %d', async (at) => {
      const bytes = signed({ schemes: [], minSdk: 28 }, [{ scheme: 'v3', algorithms: [0x0423] }], large);
      const start = bytes.indexOf('content content');
      bytes[start + at] = 0;
      const problem = { scheme: 'v3', code: 'content_changed' };
      expect(await verifyBytes(bytes)).toEqual({ verified: false, verifiedSchemes: [], problem });
    });

    it('requires whole pages around the block', async () => {
      const parts = partsOf(signed({ schemes: [] }, [{ scheme: 'v2', algorithms: VERITY }]));
      const problem = { scheme: 'v2', code: 'malformed' };
      const bytes = joined({ ...parts, pairs: parts.pairs.slice(0, 1) });
      expect(await verifyBytes(bytes)).toEqual({ verified: false, verifiedSchemes: [], problem });
    });
  });

  // red when: facts are shown from a scheme that was not verified, or an older scheme alone decides
  it('never takes the certificate or the verdict of a forged block', async () => {
    const victim = new X509Certificate(VICTIM).fingerprint256.replaceAll(':', '').toLowerCase();
    await fc.assert(
      fc.asyncProperty(forgery, async (each) => {
        const { signing } = await readArtifact(new BufferSource(forged(each)), 'demo.apk');
        const android = signing?.platform === 'android' ? signing : undefined;
        expect(android?.verification?.verified).toBe(isGenuineValid(each) && !isForgeryUsed(each));
        if (android?.certificateVerified) expect(android.certificateSha256).not.toBe(victim);
        else expect(android?.verification?.verifiedSchemes).toEqual([]);
      }),
      { seed: 20_261_125, numRuns: 300 },
    );
  });

  // red when: names are compared by their bytes; signers before 2019 encode their texts in another way
  it.each<[string, Buffer, boolean]>([
    ['as PrintableString', name({ O: 'Example', CN: 'Release Key' }, 0x13), true],
    ['in other cases and with other spaces', name({ O: 'EXAMPLE', CN: ' release  key' }), true],
    ['as BMPString', name({ O: 'Example', CN: 'Release Key' }, 0x1e), false],
    ['with another text', name({ O: 'Example', CN: 'Other Key' }), false],
    ['in another order', name({ CN: 'Release Key', O: 'Example' }), false],
    ['with another attribute', name({ C: 'Example', CN: 'Release Key' }), false],
  ])('finds the certificate of a v1 signer whose issuer is written %s', async (_, issuer, isFound) => {
    const files = apkFiles({ schemes: [], minSdk: 21, targetSdk: 29 });
    const signer = { certificate: certificate({ O: 'Example', CN: 'Release Key' }), issuer };
    expect(await verifyBytes(zip([...files, ...signJar(files, signer, [])]))).toMatchObject({ verified: isFound });
  });

  it.each<[string, AndroidOptions, SignatureVerification]>([
    [
      'v2 for the code name of a preview',
      { minSdk: 'Baklava', targetSdk: 'Baklava' },
      { verified: true, verifiedSchemes: ['v2'], problem: null },
    ],
    [
      'only v1 for the code name of a preview',
      { schemes: ['v1'], minSdk: 21, targetSdk: 'Baklava' },
      { verified: false, verifiedSchemes: ['v1'], problem: { scheme: 'v1', code: 'newer_scheme_required' } },
    ],
    [
      'an algorithm that the oldest devices do not know',
      { schemes: ['v1'], minSdk: 18, targetSdk: 29 },
      { verified: false, verifiedSchemes: ['v1'], problem: { scheme: 'v1', code: 'algorithm_unknown' } },
    ],
  ])('judges %s', async (_, options, expected) => {
    expect(await verifyBytes(apk(options))).toEqual(expected);
  });

  describe('of a rotated key', () => {
    const ROTATION = 0x559f8b02;
    const rotated = (since: number, announced: number | null = since): SchemeSigner[] => [
      { scheme: 'v2' },
      {
        scheme: 'v3',
        range: [28, since - 1],
        attributes: announced === null ? [] : [{ id: ROTATION, value: announced }],
      },
      { scheme: 'v3.1', range: [since, 0x7fffffff] },
    ];
    const verdict = async (minSdk: number, signers: readonly SchemeSigner[]) =>
      verifyBytes(signed({ minSdk, schemes: [] }, signers));

    it.each<[number, number, SignatureVerification['verifiedSchemes']]>([
      [24, 33, ['v2', 'v3', 'v3.1']],
      [33, 33, ['v3.1']],
      // Devices with API level 33 use v3.
      [33, 34, ['v3', 'v3.1']],
      [34, 34, ['v3.1']],
    ])('checks what devices from API %d on use when v3.1 begins at %d', async (minSdk, since, verifiedSchemes) => {
      expect(await verdict(minSdk, rotated(since))).toEqual({ verified: true, verifiedSchemes, problem: null });
    });

    it('does not rely on v3 for devices that use a broken v3.1', async () => {
      const [v2, v3, newest] = rotated(33) as [SchemeSigner, SchemeSigner, SchemeSigner];
      const problem = { scheme: 'v3.1', code: 'signature_invalid' };
      expect(await verdict(24, [v2, v3, { ...newest, isForged: true }])).toEqual({
        verified: false,
        verifiedSchemes: ['v2', 'v3'],
        problem,
      });
    });

    it.each<[string, SchemeSigner[], object]>([
      ['v3.1 was removed', rotated(33).slice(0, 2), { scheme: 'v3', code: 'scheme_removed' }],
      ['v3 was removed', [rotated(33)[0]!, rotated(33)[2]!], { scheme: 'v3', code: 'missing' }],
      ['v3 announces another level', rotated(33, 34), { scheme: 'v3', code: 'scheme_removed' }],
    ])('rejects a package when %s', async (_, signers, problem) => {
      expect(await verdict(24, signers)).toMatchObject({ verified: false, problem });
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
