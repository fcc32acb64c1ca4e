import { deflateRawSync } from 'node:zlib';
import { type InspectionErrorReason } from '#infra/artifact-inspection/inspection-errors';
import { binaryXml, chunk, type ElementInput, protoField, stringPool } from './android-writer';
import { binaryPlistOf, references, sized, xmlDocument } from './plist-writer';
import { aab, aabFiles, apk, apkFiles, infoPlist, ipa, ipaFiles, type IpaOptions, manifest } from './valid-artifacts';
import { zip, type ZipFile } from './zip-writer';

/** A file that must be rejected with `400 invalid_input` and this reason. */
export interface HostileArtifact {
  readonly name: string;
  readonly fileName: string;
  readonly bytes: Buffer | (() => Buffer);
  readonly reason: InspectionErrorReason;
}

const hostile = (
  name: string,
  fileName: string,
  reason: InspectionErrorReason,
  bytes: Buffer | (() => Buffer),
): HostileArtifact => ({
  name,
  fileName,
  reason,
  bytes,
});
const ipaWith = (name: string, reason: InspectionErrorReason, options: () => IpaOptions): HostileArtifact =>
  hostile(name, 'demo.ipa', reason, () => ipa(options()));
const ipaInfo = (name: string, reason: InspectionErrorReason, data: () => Buffer | string): HostileArtifact =>
  ipaWith(name, reason, () => ({ infoFile: { data: data(), method: 0 } }));
const apkManifest = (name: string, reason: InspectionErrorReason, data: () => Buffer): HostileArtifact =>
  hostile(name, 'demo.apk', reason, () => apk({ manifest: data(), manifestFile: { method: 0 } }));

/** Deflated zeros. Repeats one deflated mebibyte, so the unpacked data is never in memory. */
function deflatedZeros(mebibytes: number): Buffer {
  const block = deflateRawSync(Buffer.alloc(1024 * 1024), { level: 9, finishFlush: 2 });
  return Buffer.concat([...Array.from({ length: mebibytes }, () => block), Buffer.from([3, 0])]);
}

const flipped = (bytes: Buffer, at: number): Buffer => {
  const copy = Buffer.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ 0xff;
  return copy;
};

const MIB = 1024 * 1024;

/** Archives with false headers. */
const archives = (): HostileArtifact[] => [
  hostile('empty ipa', 'demo.ipa', 'empty_file', Buffer.alloc(0)),
  hostile('empty file of any kind', 'demo.dmg', 'empty_file', Buffer.alloc(0)),
  hostile('HTML named .ipa', 'demo.ipa', 'not_an_archive', Buffer.from('<html>not found</html>')),
  hostile('one byte', 'demo.apk', 'not_an_archive', Buffer.from('P')),
  hostile('only the zip signature', 'demo.apk', 'not_an_archive', Buffer.from('PK\x03\x04', 'latin1')),
  hostile('zip without entries', 'demo.ipa', 'no_app', () => zip([])),
  hostile('truncated in the middle', 'demo.ipa', 'not_an_archive', () => ipa().subarray(0, 700)),
  hostile('truncated in the directory', 'demo.apk', 'not_an_archive', () => apk().subarray(0, -60)),
  hostile('without its first half', 'demo.ipa', 'corrupt_archive', () => ipa().subarray(400)),
  hostile('4 MiB of repeated text', 'demo.ipa', 'not_an_archive', () => Buffer.alloc(4 * MIB, 'PK')),
  ipaWith('end record with zero entries', 'corrupt_archive', () => ({ zip: { lies: { entries: 0 } } })),
  ipaWith('end record with too few entries', 'corrupt_archive', () => ({ zip: { lies: { entries: 1 } } })),
  ipaWith('end record with too many entries', 'corrupt_archive', () => ({ zip: { lies: { entries: 60_000 } } })),
  ipaWith('directory outside the file', 'corrupt_archive', () => ({ zip: { lies: { directoryOffset: 0xfffffff0 } } })),
  ipaWith('directory inside a file', 'corrupt_archive', () => ({ zip: { lies: { directoryOffset: 3 } } })),
  ipaWith('zip64 markers without a zip64 record', 'corrupt_archive', () => ({
    zip: { lies: { directoryOffset: 0xffffffff, entries: 0xffff } },
  })),
  ipaWith('comment longer than the file', 'corrupt_archive', () => ({ zip: { lies: { commentLength: 500 } } })),
  ipaWith('fake end record in the comment', 'corrupt_archive', () => ({
    zip: { comment: Buffer.from('PK\x05\x06'.padEnd(40, 'fake')) },
  })),
  ipaWith('disk number 7', 'corrupt_archive', () => ({ zip: { lies: { disk: 7 } } })),
  ipaWith('zip64 record at 2^60', 'corrupt_archive', () => ({
    zip: { zip64: true, lies: { zip64Offset: 1n << 60n } },
  })),
  ipaWith('zip64 record at 2^64-1', 'corrupt_archive', () => ({
    zip: { zip64: true, lies: { zip64Offset: (1n << 64n) - 1n } },
  })),
  ipaWith('zip64 record at offset 0', 'corrupt_archive', () => ({
    zip: { zip64: true, lies: { zip64Offset: 0n } },
  })),
  ipaWith('zip64 with 2^60 entries', 'too_many_entries', () => ({
    zip: { zip64: true, lies: { zip64Entries: 1n << 60n } },
  })),
  ipaWith('zip64 directory at 2^62', 'corrupt_archive', () => ({
    zip: { zip64: true, lies: { zip64DirectoryOffset: 1n << 62n } },
  })),
  ipaWith('wrong CRC', 'corrupt_archive', () => ({ infoFile: { lies: { crc: 1 } } })),
  hostile('flipped byte in a stored file', 'demo.apk', 'corrupt_archive', () => {
    const bytes = zip(apkFiles().map((file) => ({ ...file, method: 0 })));
    return flipped(bytes, 200);
  }),
  ipaWith('invalid deflate data', 'corrupt_archive', () => ({ infoFile: { compressed: Buffer.alloc(300, 0xff) } })),
  ipaWith('truncated deflate data', 'corrupt_archive', () => ({
    infoFile: { compressed: deflateRawSync(infoPlist()).subarray(0, 100) },
  })),
  ipaWith('file longer than declared', 'corrupt_archive', () => ({ infoFile: { lies: { sizeBytes: 10 } } })),
  ipaWith('file shorter than declared', 'corrupt_archive', () => ({ infoFile: { lies: { sizeBytes: 5_000 } } })),
  ipaWith('compressed size beyond the file', 'corrupt_archive', () => ({
    infoFile: { lies: { compressedBytes: 0x7fffffff } },
  })),
  ipaWith('stored file with two different sizes', 'corrupt_archive', () => ({
    infoFile: { method: 0, lies: { compressedBytes: 5 } },
  })),
  ipaWith('local header outside the file', 'corrupt_archive', () => ({
    infoFile: { lies: { headerOffset: 0xfffffff0 } },
  })),
  ipaWith('local header offset without a header', 'corrupt_archive', () => ({
    infoFile: { lies: { headerOffset: 7 } },
  })),
  ipaWith('different name in the local header', 'corrupt_archive', () => ({
    infoFile: { lies: { localName: 'Payload/Evil' } },
  })),
  ipaWith('different method in the local header', 'corrupt_archive', () => ({
    infoFile: { lies: { localMethod: 0 } },
  })),
  ipaWith('name longer than the directory', 'corrupt_archive', () => ({ infoFile: { lies: { nameLength: 0xffff } } })),
  ipaWith('extra field longer than the directory', 'corrupt_archive', () => ({
    infoFile: { lies: { extraLength: 0xffff } },
  })),
  ipaWith('extra field with wrong lengths', 'corrupt_archive', () => ({
    infoFile: { extra: Buffer.from([1, 0, 255, 255]) },
  })),
  ipaWith('encrypted', 'encrypted_archive', () => ({ infoFile: { flags: 0x801 } })),
  ipaWith('strongly encrypted', 'encrypted_archive', () => ({ infoFile: { flags: 0x841 } })),
  ...[1, 9, 12, 14, 93, 95, 99].map((method) =>
    ipaWith(`compression method ${method}`, 'unsupported_compression', () => ({ infoFile: { method } })),
  ),
  ipaWith('Info.plist is a symbolic link', 'unsafe_path', () => ({
    infoFile: { data: '/etc/passwd', method: 0, attributes: (0o120777 << 16) >>> 0 },
  })),
  hostile('the same file twice', 'demo.ipa', 'duplicate_entry', () => zip([...ipaFiles(), ...ipaFiles().slice(0, 1)])),
  hostile('the same manifest twice', 'demo.apk', 'duplicate_entry', () =>
    zip([...apkFiles(), ...apkFiles().slice(0, 1)]),
  ),
  ...(
    [
      ['path with leading ../', '../../../../etc/cron.d/x'],
      ['path with ../ in the middle', 'Payload/../../x'],
      ['absolute path', '/etc/passwd'],
      ['drive letter', 'C:\\Windows\\x.dll'],
      ['path with ..\\', '..\\..\\x'],
      ['NUL in a name', 'Payload/Demo.app/a\0.png'],
      ['name of 5000 bytes', 'Payload/' + 'a'.repeat(5_000)],
      ['empty name', ''],
    ] as const
  ).map(([name, path]) => ipaWith(name, 'unsafe_path', () => ({ files: [{ name: path, data: 'x' }] }))),
  hostile('100 001 entries with zip64', 'demo.apk', 'too_many_entries', () =>
    zip(
      [
        ...apkFiles(),
        ...Array.from({ length: 100_001 }, (_, at): ZipFile => ({ name: `a${at}`, data: '', method: 0 })),
      ],
      {
        zip64: true,
      },
    ),
  ),
  hostile('70 000 entries without zip64, which overflow the count', 'demo.apk', 'corrupt_archive', () =>
    zip([
      ...apkFiles(),
      ...Array.from({ length: 70_000 }, (_, at): ZipFile => ({ name: `a${at}`, data: '', method: 0 })),
    ]),
  ),
];

/** Archives that unpack to far more than their size. */
const bombs = (): HostileArtifact[] => [
  ipaWith('Info.plist of 1.5 GB', 'compression_bomb', () => ({
    infoFile: { compressed: deflatedZeros(1536), lies: { sizeBytes: 1536 * MIB } },
  })),
  ipaWith('Info.plist of 1.5 GB declared as 1 KiB', 'corrupt_archive', () => ({
    infoFile: { compressed: deflatedZeros(1536), lies: { sizeBytes: 1024 } },
  })),
  ipaWith('Info.plist of 20 MiB declared as 300 KiB', 'corrupt_archive', () => ({
    infoFile: { compressed: deflatedZeros(20), lies: { sizeBytes: 300 * 1024 } },
  })),
  ipaWith('Info.plist of a mebibyte of spaces', 'compression_bomb', () => ({
    infoFile: { data: Buffer.alloc(MIB - 1, ' ') },
  })),
  ipaWith('Info.plist over the limit', 'entry_too_large', () => ({
    infoFile: { data: Buffer.alloc(MIB + 1, ' '), method: 0 },
  })),
  hostile('manifest over the limit', 'demo.apk', 'entry_too_large', () =>
    apk({ manifestFile: { data: Buffer.alloc(MIB + 1, 1), method: 0 } }),
  ),
  hostile('resource table bomb', 'demo.apk', 'compression_bomb', () =>
    zip([
      ...apkFiles().filter((file) => file.name !== 'resources.arsc'),
      { name: 'resources.arsc', data: Buffer.alloc(15 * MIB) },
      { name: 'pad', data: Buffer.alloc(MIB), method: 0 },
    ]),
  ),
  hostile('icon bomb', 'demo.ipa', 'compression_bomb', () =>
    zip([...ipaFiles({ icon: Buffer.alloc(3 * MIB) }), { name: 'pad', data: Buffer.alloc(MIB), method: 0 }]),
  ),
  hostile('files with a declared sum of 5 GB', 'demo.apk', 'archive_too_large', () =>
    apk({ files: [0, 1].map((at) => ({ name: `big${at}`, data: 'x', lies: { sizeBytes: 0x9fffffff } })) }),
  ),
  hostile('an unused file of 3 GB', 'demo.apk', 'compression_bomb', () =>
    apk({ files: [{ name: 'big', data: 'x', lies: { sizeBytes: 0xbfffffff } }] }),
  ),
  hostile('overlapping files', 'demo.apk', 'corrupt_archive', () => {
    const kernel = { name: 'big', data: Buffer.alloc(0), compressed: deflateRawSync(Buffer.alloc(100_000)) };
    const shared = Array.from({ length: 400 }, (_, at): ZipFile => ({
      name: `quote${at}`,
      data: Buffer.alloc(0),
      compressed: Buffer.alloc(0),
      lies: { headerOffset: 0, compressedBytes: 1000, sizeBytes: 1000 },
    }));
    return zip([...apkFiles(), kernel, ...shared]);
  }),
];

const nested = (tag: string, depth: number): string => `<${tag}>`.repeat(depth) + `</${tag}>`.repeat(depth);
const LAUGHS = Array.from({ length: 9 }, (_, at) => `<!ENTITY lol${at + 1} "${`&lol${at};`.repeat(10)}">`).join('');

/** Property lists. */
const plists = (): HostileArtifact[] => [
  ipaInfo('Info.plist of random bytes', 'corrupt_info_plist', () => Buffer.alloc(500, 0xa7)),
  ipaInfo('empty Info.plist', 'corrupt_info_plist', () => ''),
  ipaInfo('HTML as Info.plist', 'corrupt_info_plist', () => '<html><body>404</body></html>'),
  ipaInfo('plist with an array as root', 'corrupt_info_plist', () => xmlDocument('<array><string>x</string></array>')),
  ipaInfo('truncated plist', 'corrupt_info_plist', () => infoPlist({ binary: false }).subarray(0, 300)),
  ipaInfo('XML 60 000 levels deep', 'too_complex', () => xmlDocument(nested('array', 60_000))),
  ipaInfo('XML with depth hidden in attributes', 'corrupt_info_plist', () =>
    xmlDocument('<array x="></array>">'.repeat(20_000) + '</array>'.repeat(20_000)),
  ),
  ipaInfo('XML with 110 000 elements', 'too_complex', () => xmlDocument(`<array>${'<true/>'.repeat(110_000)}</array>`)),
  ipaInfo('unclosed XML comments', 'corrupt_info_plist', () => xmlDocument('<!--'.repeat(100_000))),
  ipaInfo(
    'billion laughs',
    'corrupt_info_plist',
    () =>
      `<?xml version="1.0"?><!DOCTYPE plist [<!ENTITY lol0 "lol">${LAUGHS}]><plist version="1.0"><dict><key>CFBundleIdentifier</key><string>&lol9;</string></dict></plist>`,
  ),
  ipaInfo(
    'external entity',
    'corrupt_info_plist',
    () =>
      '<?xml version="1.0"?><!DOCTYPE plist [<!ENTITY x SYSTEM "file:///etc/passwd">]><plist version="1.0"><dict><key>CFBundleIdentifier</key><string>&x;</string></dict></plist>',
  ),
  ipaInfo('50 000 undeclared entities', 'corrupt_info_plist', () =>
    xmlDocument(`<dict><key>a</key><string>${'&evil;'.repeat(50_000)}</string></dict>`),
  ),
  ipaInfo('prototype pollution', 'invalid_bundle_id', () =>
    xmlDocument('<dict><key>__proto__</key><dict><key>x</key><true/></dict></dict>'),
  ),
  ipaInfo('binary plist that contains itself', 'corrupt_info_plist', () => binaryPlistOf([references(0xa, 1, [0])])),
  ipaInfo('binary plist with a longer cycle', 'corrupt_info_plist', () =>
    binaryPlistOf([references(0xa, 1, [1]), references(0xa, 1, [2]), references(0xa, 1, [0])]),
  ),
  ipaInfo('binary plist with exponentially shared objects', 'invalid_bundle_id', () => {
    const key = Buffer.concat([sized(5, 1), Buffer.from('a')]);
    const levels = Array.from({ length: 50 }, (_, at) => references(0xa, 2, [at + 3, at + 3]));
    return binaryPlistOf([references(0xd, 1, [1, 2]), key, ...levels, Buffer.from([9])]);
  }),
  ipaInfo('binary plist 10 000 levels deep', 'too_complex', () =>
    binaryPlistOf([...Array.from({ length: 10_000 }, (_, at) => references(0xa, 1, [at + 1])), Buffer.from([9])]),
  ),
  ipaInfo('binary plist with overlapping arrays', 'too_complex', () => {
    const wide = references(
      0xa,
      20_000,
      Array.from({ length: 20_000 }, () => 1),
    );
    const lists = Array.from({ length: 20 }, () => wide);
    return binaryPlistOf([
      references(
        0xa,
        20,
        lists.map((_, at) => at + 2),
      ),
      Buffer.from([9]),
      ...lists,
    ]);
  }),
  ipaInfo('binary plist with 2^40 declared objects', 'corrupt_info_plist', () =>
    binaryPlistOf([Buffer.from([9])], { count: 2 ** 40 }),
  ),
  ipaInfo('binary plist without its root', 'corrupt_info_plist', () => binaryPlistOf([Buffer.from([9])], { root: 99 })),
  ipaInfo('binary plist with its offset table outside the file', 'corrupt_info_plist', () =>
    binaryPlistOf([Buffer.from([9])], { table: 2 ** 33 }),
  ),
  ipaInfo('binary plist string of 4 GB', 'corrupt_info_plist', () => binaryPlistOf([sized(5, 0xffffffff)])),
  ipaInfo('binary plist dictionary of 4 billion entries', 'too_complex', () =>
    binaryPlistOf([references(0xd, 0xffffffff, [])]),
  ),
  ipaInfo('binary plist with count integers of 32 KiB', 'corrupt_info_plist', () => {
    const wide = Buffer.concat([Buffer.from([0x5f, 0x1f]), Buffer.alloc(32_768)]);
    const strings = Array.from({ length: 25 }, () => wide);
    return binaryPlistOf([
      references(
        0xa,
        25,
        strings.map((_, at) => at + 1),
      ),
      ...strings,
    ]);
  }),
  ipaInfo('binary plist with overlapping strings', 'too_complex', () => {
    const long = Buffer.concat([sized(5, 400_000), Buffer.alloc(400_000, 'x')]);
    const bytes = binaryPlistOf([
      references(
        0xa,
        20,
        Array.from({ length: 20 }, (_, at) => at + 1),
      ),
      long,
      ...Array.from({ length: 19 }, () => Buffer.alloc(0)),
    ]);
    const table = bytes.length - 32 - 21 * 4;
    for (let at = 2; at <= 20; at += 1) bytes.copyWithin(table + at * 4, table + 4, table + 8);
    return bytes;
  }),
  ipaInfo('binary plist header only', 'corrupt_info_plist', () => Buffer.from('bplist00')),
];

/** Well-formed files that contain no app, or another kind of app than their name claims. */
const wrongApps = (): HostileArtifact[] => [
  hostile('.apk named .ipa', 'demo.ipa', 'wrong_type', () => apk()),
  hostile('.ipa named .apk', 'demo.apk', 'wrong_type', () => ipa()),
  hostile('.aab named .apk', 'demo.apk', 'wrong_type', () => aab()),
  hostile('.apk named .aab', 'demo.aab', 'wrong_type', () => apk()),
  hostile('.apks named .apk', 'demo.apk', 'unsupported_type', () => zip([{ name: 'universal.apk', data: apk() }])),
  hostile('.apks file', 'demo.apks', 'unsupported_type', () => zip([{ name: 'universal.apk', data: apk() }])),
  hostile('.xapk file', 'demo.xapk', 'unsupported_type', () => zip([{ name: 'manifest.json', data: '{}' }])),
  hostile('HarmonyOS package', 'demo.hap', 'unsupported_type', () => zip([{ name: 'module.json', data: '{}' }])),
  hostile('split apk', 'demo.apk', 'split_apk', () => apk({ split: 'config.arm64_v8a' })),
  hostile('two apps', 'demo.ipa', 'several_apps', () =>
    zip([...ipaFiles(), ...ipaFiles({ folder: 'Payload/Two.app/' })]),
  ),
  hostile('Payload inside another folder', 'demo.ipa', 'wrapped_app', () => ipa({ folder: 'Demo/Payload/Demo.app/' })),
  hostile('.ipa without Info.plist', 'demo.ipa', 'no_app', () => zip(ipaFiles().slice(1))),
  hostile('macOS app named .ipa', 'demo.ipa', 'no_app', () => ipa({ folder: 'Payload/Demo.app/Contents/' })),
  hostile('zip of texts named .apk', 'demo.apk', 'no_app', () => zip([{ name: 'readme.txt', data: 'hello' }])),
  ...(
    [
      ['bundle id with ../', '../../../../etc/passwd'],
      ['bundle id with markup', '<script>alert(1)</script>'],
      ['empty bundle id', ''],
      ['bundle id of 200 characters', 'a'.repeat(200)],
      ['bundle id that is a number', 7],
      ['bundle id that is an array', ['com.example.demo']],
    ] as const
  ).map(([name, id]) =>
    ipaWith(name, 'invalid_bundle_id', () => ({ info: { CFBundleIdentifier: typeof id === 'object' ? [...id] : id } })),
  ),
  ipaWith('no bundle id', 'invalid_bundle_id', () => ({ without: ['CFBundleIdentifier'] })),
  hostile('package name with ../', 'demo.apk', 'invalid_bundle_id', () => apk({ packageName: '../../etc.passwd' })),
  hostile('package name without a dot', 'demo.apk', 'invalid_bundle_id', () => apk({ packageName: 'demo' })),
];

const ROOT_HEADER = Buffer.concat([chunk(0x0003, Buffer.alloc(0), Buffer.alloc(0))]);
const axml = (...chunks: Buffer[]): Buffer => chunk(0x0003, Buffer.alloc(0), Buffer.concat(chunks));

function deep(depth: number): ElementInput {
  let element: ElementInput = { name: 'x' };
  for (let level = 0; level < depth; level += 1) element = { name: 'x', children: [element] };
  return element;
}

function deepProto(depth: number): Buffer {
  let node: Buffer = Buffer.alloc(0);
  for (let level = 0; level < depth; level += 1) node = protoField(1, protoField(5, node));
  return node;
}

/** Android manifests. */
const manifests = (): HostileArtifact[] => [
  apkManifest('manifest of random bytes', 'corrupt_manifest', () => Buffer.alloc(300, 0x5a)),
  apkManifest('empty manifest', 'corrupt_manifest', () => Buffer.alloc(0)),
  apkManifest('manifest as XML text', 'corrupt_manifest', () => Buffer.from('<manifest package="com.example.demo"/>')),
  apkManifest('manifest without elements', 'corrupt_manifest', () => ROOT_HEADER),
  apkManifest('axml chunk of size 0', 'corrupt_manifest', () =>
    axml(chunk(0x0102, Buffer.alloc(8), Buffer.alloc(20), 0)),
  ),
  apkManifest('axml chunk of 4 GB', 'corrupt_manifest', () =>
    axml(chunk(0x0102, Buffer.alloc(8), Buffer.alloc(20), 0xffffffff)),
  ),
  apkManifest('axml chunk smaller than its header', 'corrupt_manifest', () =>
    axml(chunk(0x0001, Buffer.alloc(20), Buffer.alloc(8), 9)),
  ),
  apkManifest('axml document larger than the file', 'corrupt_manifest', () =>
    chunk(3, Buffer.alloc(0), Buffer.alloc(64), 1 << 30),
  ),
  apkManifest('axml element with 65 535 missing attributes', 'corrupt_manifest', () => {
    const body = Buffer.alloc(20);
    body.writeUInt16LE(20, 10);
    body.writeUInt16LE(0xffff, 12);
    return axml(stringPool(['manifest']), chunk(0x0102, Buffer.alloc(8), body));
  }),
  apkManifest('axml attributes of size 0', 'corrupt_manifest', () => {
    const body = Buffer.alloc(20);
    body.writeUInt16LE(0xffff, 12);
    return axml(
      stringPool(['manifest']),
      ...Array.from({ length: 20_000 }, () => chunk(0x0102, Buffer.alloc(8), body)),
    );
  }),
  apkManifest('axml pool with 4 billion strings outside', 'corrupt_manifest', () => {
    const pool = stringPool(['manifest', 'package']);
    pool.writeUInt32LE(0xffffffff, 8);
    pool.writeUInt32LE(0xfffffff0, 20);
    return axml(pool, binaryXml(manifest()).subarray(8));
  }),
  apkManifest('axml of 100 000 elements', 'too_complex', () =>
    axml(...Array.from({ length: 120_000 }, () => chunk(0x0103, Buffer.alloc(0), Buffer.alloc(0)))),
  ),
  apkManifest('axml with overlapping strings', 'too_complex', () => {
    const strings = stringPool(['x'.repeat(30_000), ...Array.from({ length: 3_000 }, () => '')], true);
    for (let at = 1; at <= 3_000; at += 1) strings.writeUInt32LE(strings.readUInt32LE(28), 28 + at * 4);
    const elements = Array.from({ length: 3_000 }, (_, at) => {
      const body = Buffer.alloc(20);
      body.writeUInt32LE(at, 4);
      return chunk(0x0102, Buffer.alloc(8), body);
    });
    return axml(strings, ...elements);
  }),
  apkManifest('axml without a manifest element', 'corrupt_manifest', () => binaryXml(deep(500))),
  hostile('proto manifest of random bytes', 'demo.aab', 'corrupt_manifest', () =>
    aab({ manifest: Buffer.alloc(300, 0x5b) }),
  ),
  hostile('proto length beyond the file', 'demo.aab', 'corrupt_manifest', () =>
    aab({ manifest: Buffer.from([0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f]) }),
  ),
  hostile('endless proto varint', 'demo.aab', 'corrupt_manifest', () => aab({ manifest: Buffer.alloc(400, 0xff) })),
  hostile('proto 1 000 levels deep', 'demo.aab', 'too_complex', () => aab({ manifest: deepProto(1_000) })),
  hostile('proto of 200 000 fields', 'demo.aab', 'too_complex', () =>
    aab({
      manifest: Buffer.concat(Array.from({ length: 200_000 }, () => Buffer.from([0x10, 1]))),
      manifestFile: { method: 0 },
    }),
  ),
  hostile('aab without manifest', 'demo.aab', 'wrong_type', () => zip(aabFiles().slice(0, 1))),
];

/** All hostile artifacts. `bytes` are built on demand, because some need time and several mebibytes. */
export const hostileArtifacts = (): HostileArtifact[] => [
  ...archives(),
  ...bombs(),
  ...plists(),
  ...wrongApps(),
  ...manifests(),
];

export const bytesOf = ({ bytes }: Pick<HostileArtifact, 'bytes'>): Buffer =>
  typeof bytes === 'function' ? bytes() : bytes;
