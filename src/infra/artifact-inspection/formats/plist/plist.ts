import { inspectionError } from '../../inspection-errors';
import { type WorkBudget } from '../../limits/work-budget';
import { readBinaryPlist } from './binary-plist';
import { isDict, type PlistDict } from './plist-value';
import { readXmlPlist } from './xml-plist';

/** Reads a binary or XML property list with a dictionary as its root. Throws on anything else: call it in `orReject` or `orNull`. */
export function readPlist(bytes: Buffer, budget: WorkBudget): PlistDict {
  const binary = bytes.subarray(0, 6).toString('latin1') === 'bplist';
  const root = binary ? readBinaryPlist(bytes, budget) : readXmlPlist(decodeXml(bytes), budget);
  if (!isDict(root)) throw inspectionError('unreadable');
  return root;
}

const LATIN_1 = /^<\?xml[^>]*\sencoding=["']ISO-8859-1["']/i;

function decodeXml(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff)
    return Buffer.from(bytes.subarray(0, bytes.length & ~1))
      .swap16()
      .toString('utf16le');
  if (LATIN_1.test(bytes.toString('latin1', 0, 100))) return bytes.toString('latin1');
  return new TextDecoder('utf-8').decode(bytes);
}
