import { createHash, X509Certificate } from 'node:crypto';
import { cleanText } from '#kernel/text/text';
import { inspectionError, orNull } from '../../inspection-errors';
import { LIMITS } from '../../limits/limits';

/** The fields of a signing certificate. */
export interface CertificateFacts {
  /** The fingerprint, over the DER, in lower-case hexadecimal. Android compares it on updates. */
  readonly sha256: string;
  /** Most specific part first, as in `CN=Android Debug, O=Android, C=US`. */
  readonly subject: string | null;
  readonly serial: string | null;
  readonly expiresAt: Date | null;
}

/** Reads a DER certificate. When OpenSSL cannot parse it, only the fingerprint is set. */
export function readCertificate(der: Buffer): CertificateFacts {
  if (der.length === 0 || der.length > LIMITS.certificateBytes) throw inspectionError('unreadable');
  const parsed = orNull(() => new X509Certificate(der));
  const expiresAt = parsed ? new Date(parsed.validTo) : null;
  return {
    sha256: createHash('sha256').update(der).digest('hex'),
    subject: parsed ? cleanText(parsed.subject.split('\n').reverse().join(', '), 500) || null : null,
    serial: parsed ? parsed.serialNumber.toLowerCase() : null,
    expiresAt: expiresAt && Number.isFinite(expiresAt.getTime()) ? expiresAt : null,
  };
}
