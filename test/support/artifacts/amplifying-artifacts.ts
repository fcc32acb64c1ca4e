import { createHash } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import { type InspectionErrorReason } from '#infra/artifact-inspection/inspection-errors';
import { chunk, resourceTable, SCHEME_IDS, stringPool } from './android-writer';
import { octets, signedData } from './der-writer';
import { CPU, executable, fatExecutable } from './macho-writer';
import { binaryPlistOf, references, sized } from './plist-writer';
import { pngChunk } from './png-writer';
import { signedIpa } from './signed/signed-ipa';
import { apk, DEMO_ID, ipa, profilePlist, RESOURCE } from './valid-artifacts';

/** An artifact that a naive reader inspects with far more work than its size. */
export interface AmplifyingArtifact {
  readonly name: string;
  readonly fileName: string;
  readonly bytes: () => Buffer;
  /** The reason of the rejection; null when the artifact is accepted without its hostile part. */
  readonly reason: InspectionErrorReason | null;
}

const amplifying = (
  name: string,
  fileName: string,
  reason: InspectionErrorReason | null,
  bytes: () => Buffer,
): AmplifyingArtifact => ({ name, fileName, reason, bytes });

/** Incompressible bytes, which keep the compression ratio of an entry below its limit. */
const noise = (length: number): Buffer => createHash('shake256', { outputLength: length }).update('noise').digest();

/**
 * An .ipa of 6 KB. Its profile has 62 nested octet strings of indefinite length (`24 80`) around 200 000 empty ones; the end of each is
 * found only by reading everything inside it.
 */
export function ipaWithNestedOctets(): Buffer {
  const levels = 62;
  const empty = Array.from({ length: 200_000 }, () => Buffer.from([0x04, 0x00]));
  const profile = Buffer.concat([
    ...Array.from({ length: levels }, () => Buffer.from([0x24, 0x80])),
    ...empty,
    octets(noise(4_000)),
    Buffer.alloc(2 * levels),
  ]);
  return ipa({ profile: signedData(profile) });
}

/** An Info.plist with a list of 50 000 references to one long text, which every reader of the list reads again. */
function ipaWithSharedText(key: string): Buffer {
  const text = (value: string): Buffer => Buffer.concat([sized(5, value.length), Buffer.from(value, 'latin1')]);
  const count = 50_000;
  const data = binaryPlistOf([
    references(0xd, 2, [1, 2, 3, 4]),
    text('CFBundleIdentifier'),
    text(key),
    text(DEMO_ID),
    references(
      0xa,
      count,
      Array.from({ length: count }, () => 5),
    ),
    text(' '.repeat(200_000)),
  ]);
  return ipa({ infoFile: { data, method: 0 } });
}

/** Six CgBI icons of the largest size, each with an invalid filter in its last row. */
function ipaWithBrokenIcons(): Buffer {
  const side = 1024;
  const row = 1 + side * 4;
  const pixels = Buffer.alloc(row * side, 1);
  for (let at = 0; at < pixels.length; at += row) pixels[at] = 4;
  pixels[row * (side - 1)] = 9;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([8, 6], 8);
  const icon = Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    pngChunk('CgBI', Buffer.alloc(4)),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateRawSync(pixels)),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
  const names = [1, 2, 3, 4, 5].map((at) => `Payload/Demo.app/AppIcon60x60-${at}.png`);
  return ipa({ icon, files: names.map((name) => ({ name, data: icon })) });
}

/** A label that refers to 30 missing entries of a type with 3 million sparse entries. */
function apkWithSparseEntries(): Buffer {
  const table = resourceTable(
    Array.from({ length: 30 }, (_, at) => ({ id: RESOURCE.label, value: { reference: 0x7f030001 + at } })),
  );
  const count = 3_000_000;
  const body = Buffer.alloc(12 + 64);
  body.writeUInt8(3, 0);
  body.writeUInt8(1, 1);
  body.writeUInt32LE(count, 4);
  body.writeUInt32LE(84 + count * 4, 8);
  body.writeUInt32LE(64, 12);
  const sparse = chunk(0x0201, body, Buffer.alloc(count * 4, 0xff));
  return apk({ resources: withType(table, sparse) });
}

/** Appends a type chunk to the package of a resource table, which is its last chunk. */
function withType(table: Buffer, type: Buffer): Buffer {
  const grown = Buffer.concat([table, type]);
  const packageAt = 12 + table.readUInt32LE(12 + 4);
  for (const at of [4, packageAt + 4]) grown.writeUInt32LE(grown.readUInt32LE(at) + type.length, at);
  return grown;
}

/** A signing block of 400 000 signatures that cannot be read. */
function apkWithManySignatures(): Buffer {
  const pair = Buffer.alloc(12);
  pair.writeBigUInt64LE(4n);
  pair.writeUInt32LE(SCHEME_IDS.v2, 8);
  const pairs = Buffer.concat(Array.from({ length: 400_000 }, () => pair));
  const size = Buffer.alloc(8);
  size.writeBigUInt64LE(BigInt(pairs.length + 24));
  return apk({ signingBlock: Buffer.concat([size, pairs, size, Buffer.from('APK Sig Block 42')]) });
}

/** A resource table of a million empty chunks. */
function apkWithManyChunks(): Buffer {
  const empty = chunk(0x0202, Buffer.alloc(0), Buffer.alloc(0));
  const body = Buffer.concat([stringPool(['x']), ...Array.from({ length: 1_000_000 }, () => empty)]);
  return apk({ resources: chunk(0x0002, Buffer.alloc(4), body) });
}

/** Eight architectures in front of one code signature, which they share. */
function sharing(signature: Buffer): Buffer {
  const count = 8;
  const slice = (signatureOffset: number): Buffer =>
    executable('0a1b2c3d-0000-4000-8000-1234567890ab', {
      cpu: CPU.arm64,
      fileType: 2,
      code: Buffer.alloc(0),
      signature,
      lies: { signatureOffset },
    });
  const headBytes = slice(0).length - signature.length;
  const slices = Array.from({ length: count }, (_, index) => slice((count - index) * headBytes));
  return fatExecutable(slices.map((bytes, index) => (index < count - 1 ? bytes.subarray(0, headBytes) : bytes)));
}

/** Code directories of several architectures, apps and hash functions that seal lists of resources of 7 MB. */
function ipaWithManySeals(): Buffer {
  const list = Buffer.concat([noise(64 * 1024), Buffer.alloc(7 * 1024 * 1024)]);
  const path = '_CodeSignature/CodeResources';
  const code = { codeResources: list, hashes: Array.from({ length: 6 }, () => 'sha384' as const) };
  const app = { code, executable: sharing };
  const nested = ['A', 'B', 'C'].map((name) => `PlugIns/${name}.appex`);
  return signedIpa({
    ...app,
    nested: Object.fromEntries(nested.map((folder) => [folder, app])),
    afterwards: Object.fromEntries([path, ...nested.map((folder) => `${folder}/${path}`)].map((each) => [each, list])),
  });
}

/** An entitlement of 18 000 values, for which the profile grants as many patterns, the last of which fits all. */
function ipaWithManyEntitlements(): Buffer {
  const count = 18_000;
  const values = Array.from({ length: count }, (_, index) => String(index * 7919));
  const grants = `<key>groups</key><array>${values.map((value) => `<string>a${value}*</string>`).join('')}<string>*</string></array>`;
  const profile = profilePlist().replace('<key>aps-environment</key>', (key) => grants + key);
  return signedIpa({ profile, entitlements: { groups: values } });
}

export const amplifyingArtifacts: readonly AmplifyingArtifact[] = [
  amplifying('nested octet strings of indefinite length', 'demo.ipa', 'too_complex', ipaWithNestedOctets),
  ...['UIDeviceFamily', 'CFBundleSupportedPlatforms', 'CFBundleIconFiles'].map((key) =>
    amplifying(`50 000 references to one text in ${key}`, 'demo.ipa', 'too_complex', () => ipaWithSharedText(key)),
  ),
  amplifying('six icons with a late error', 'demo.ipa', null, ipaWithBrokenIcons),
  amplifying('192 seals of a list of 7 MB', 'demo.ipa', null, ipaWithManySeals),
  amplifying('18 000 entitlements and as many patterns', 'demo.ipa', null, ipaWithManyEntitlements),
  amplifying('30 references into 3 million sparse entries', 'demo.apk', null, apkWithSparseEntries),
  amplifying('a resource table of a million chunks', 'demo.apk', 'too_complex', apkWithManyChunks),
  amplifying('a signing block of 400 000 signatures', 'demo.apk', 'too_complex', apkWithManySignatures),
];
