import { inspectionError } from '../../inspection-errors';
import { WorkBudget } from '../../limits/work-budget';
import { readSignedData } from '../asn1/der';
import { readPlist } from '../plist/plist';
import { type PlistDict } from '../plist/plist-value';
import { verifyCmsSignature } from './cms-signature';

/**
 * Reads a property list inside a CMS SignedData (RFC 5652) whose signature is that of an enclosed certificate. It is not checked who issued
 * the certificate. Throws on anything else.
 */
export function readSignedPlist(bytes: Buffer): PlistDict {
  const budget = new WorkBudget();
  const { content } = readSignedData(bytes, budget);
  if (!content) throw inspectionError('unreadable');
  verifyCmsSignature(bytes, content, budget);
  return readPlist(content, budget);
}
