import { createHash, createPublicKey, X509Certificate } from 'node:crypto';
import { readArtifact } from '#infra/artifact-inspection/reader/artifact-reader';
import { installability, warningsOf } from '../../../modules/builds/catalogue/warnings/artifact-warnings';
import { BufferSource } from '../../../../test/support/artifacts/buffer-source';
import { demoApk } from './demo-apk';
import { type DemoBuild } from './demo-build';
import { demoIpa } from './demo-ipa';
import { makeSigner } from './self-signed-certificate';

const build: DemoBuild = {
  name: 'Agate Démo',
  bundleId: 'dev.example.agate-demo',
  version: '1.4.0',
  buildNumber: 42,
  builtAt: new Date('2026-11-20T12:00:00Z'),
};

describe('demoIpa', () => {
  it('is a signed-looking ad hoc build that inspection finds nothing wrong with', async () => {
    const artifact = await readArtifact(new BufferSource(await demoIpa(build)), 'demo.ipa');
    expect(artifact).toMatchObject({
      kind: 'ipa',
      name: 'Agate Démo',
      bundleId: 'dev.example.agate-demo',
      version: '1.4.0',
      buildNumber: '42',
      target: 'ios',
      signing: { distribution: 'adhoc', deviceCount: 2, expiresAt: new Date('2027-11-20T12:00:00Z') },
    });
    expect(artifact.icon).not.toBeNull();
    expect(installability(artifact, build.builtAt)).toEqual({ installable: true, reason: null });
    expect(installability(artifact, new Date('2027-11-20T12:00:01Z')).installable).toBe(false);
  });
});

describe('demoApk', () => {
  let apk: Buffer;
  beforeAll(async () => {
    apk = await demoApk({ ...build, bundleId: 'dev.example.agate_demo' });
  });

  it('is a signed package that inspection finds nothing wrong with', async () => {
    const artifact = await readArtifact(new BufferSource(apk), 'demo.apk');
    expect(artifact).toMatchObject({
      kind: 'apk',
      name: 'Agate Démo',
      bundleId: 'dev.example.agate_demo',
      version: '1.4.0',
      buildNumber: '42',
      minSdk: 24,
      targetSdk: 34,
      signing: {
        schemes: ['v2'],
        certificateSubject: expect.stringContaining('Agate Demo') as string,
        debugCertificate: false,
      },
    });
    expect(artifact.icon).not.toBeNull();
    expect(warningsOf(artifact, build.builtAt)).toEqual([]);
  });

  it('keeps its resource table uncompressed and aligned, as Android maps it', () => {
    const [method, nameLength, extraLength] = [8, 26, 28].map((at) => apk.readUInt16LE(at)) as [number, number, number];
    expect(apk.toString('latin1', 30, 30 + nameLength)).toBe('resources.arsc');
    expect(method).toBe(0);
    expect((30 + nameLength + extraLength) % 4).toBe(0);
  });

  it('signs what it holds: the digest in the signing block is that of the archive', () => {
    const directoryAt = apk.readUInt32LE(apk.length - 22 + 16);
    expect(apk.toString('latin1', directoryAt - 16, directoryAt)).toBe('APK Sig Block 42');
    const blockAt = directoryAt - 8 - Number(apk.readBigUInt64LE(directoryAt - 24));
    const end = Buffer.from(apk.subarray(-22));
    end.writeUInt32LE(blockAt, 16);
    const sections = [apk.subarray(0, blockAt), apk.subarray(directoryAt, -22), end];
    const digests = sections.map((section) => {
      // None is over a mebibyte, so each is one chunk.
      const prefix = Buffer.from([0xa5, 0, 0, 0, 0]);
      prefix.writeUInt32LE(section.length, 1);
      return sha256(prefix, section);
    });
    const digest = sha256(Buffer.from([0x5a, sections.length, 0, 0, 0]), ...digests);
    expect(apk.subarray(blockAt, directoryAt).includes(digest)).toBe(true);
  });
});

describe('makeSigner', () => {
  it('makes a certificate that verifies itself, valid for thirty years', () => {
    const signer = makeSigner('Agate Demo', build.builtAt);
    const certificate = new X509Certificate(signer.certificate);
    expect(certificate.subject).toBe('CN=Agate Demo');
    expect(certificate.verify(createPublicKey(signer.privateKey))).toBe(true);
    expect([certificate.validFrom, certificate.validTo]).toEqual([
      'Nov 20 12:00:00 2026 GMT',
      'Nov 20 12:00:00 2056 GMT',
    ]);
  });
});

const sha256 = (...parts: Buffer[]) => parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest();
