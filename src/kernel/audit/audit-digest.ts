import { createHash } from 'node:crypto';

/** What hash a chain begins with: that of nothing. */
export const CHAIN_START = createHash('sha256').digest();

/**
 * The hash of an event in its chain: SHA-256 over the hash before it and its fields as text, each led by its length in bytes
 * (`4:text`) or written `-` when there is none, so that no two events are written alike.
 * @param fields position, id, organization, project, type, actor's kind, id and label, address, request, payload as jsonb
 * writes it, time in milliseconds since 1970. The database's `audit_digest` says the same.
 */
export function auditDigest(previous: Buffer, fields: readonly (string | null)[]): Buffer {
  const hash = createHash('sha256').update(previous);
  for (const field of fields) hash.update(field === null ? '-' : `${Buffer.byteLength(field)}:${field}`);
  return hash.digest();
}
