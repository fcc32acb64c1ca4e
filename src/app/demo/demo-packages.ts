const END_RECORD_BYTES = 22;
/** The size and the magic number at the end of a signing block. */
const FOOTER_BYTES = 24;
/** The id of a pair that only the demo uses. */
const DEMO_PAIR = 0x61676174;

/** An .ipa with a comment, so that each build is a file of its own. The last two bytes of the archive are the length of its comment. */
export function ipaWith(text: string, ipa: Buffer): Buffer {
  const commented = Buffer.concat([ipa, Buffer.from(text)]);
  commented.writeUInt16LE(commented.length - ipa.length, ipa.length - 2);
  return commented;
}

/**
 * A signed .apk with a further pair in its signing block, so that each build is a file of its own. The signature covers the whole file except
 * for this block, in which devices ignore pairs that they do not know (source.android.com, "APK Signature Scheme v2"): it stays valid.
 */
export function apkWith(text: string, apk: Buffer): Buffer {
  const offsetAt = apk.length - END_RECORD_BYTES + 16;
  const directory = apk.readUInt32LE(offsetAt);
  const footer = directory - FOOTER_BYTES;
  const sizeBytes = apk.readBigUInt64LE(footer);
  const block = directory - Number(sizeBytes) - 8;
  const pair = pairOf(Buffer.from(text));
  const changed = Buffer.concat([apk.subarray(0, footer), pair, apk.subarray(footer)]);
  const size = sizeBytes + BigInt(pair.length);
  changed.writeBigUInt64LE(size, block);
  changed.writeBigUInt64LE(size, footer + pair.length);
  changed.writeUInt32LE(directory + pair.length, offsetAt + pair.length);
  return changed;
}

/** The length of id and value, the id, and the value. */
function pairOf(value: Buffer): Buffer {
  const head = Buffer.alloc(12);
  head.writeBigUInt64LE(BigInt(value.length + 4));
  head.writeUInt32LE(DEMO_PAIR, 8);
  return Buffer.concat([head, value]);
}
