import { type StoreError, type StoreErrorKind } from '#infra/blob/store-errors';
import { type CheckName, type CheckReason } from './diagnosis';

/** A fault that a check found itself. Its message is shown to people. */
export class Finding extends Error {
  constructor(
    readonly reason: CheckReason,
    message: string,
  ) {
    super(message);
  }
}

/** The kind of fault, for programs, and how to fix it, for people. */
export interface Advice {
  readonly reason: CheckReason;
  readonly message: string;
}

/** One message for both faults, so that a caller cannot find out which names exist in the internal network. */
export const NOT_FOUND =
  'The host name of the endpoint was not found, or resolves to an address that is not public. Check its spelling and its DNS entry, ' +
  'and use a public address.';

/** One message for all connection faults, so that a caller cannot find out which other services listen at an address. */
const UNREACHABLE =
  'No object store responded at this address, by TLS and within a few seconds. Check the host, the port, the certificate and the ' +
  'firewall.';

const CONNECTION_FAULTS: readonly StoreErrorKind[] = ['connect', 'tls', 'timeout'];

const ADVICE: Readonly<Record<StoreErrorKind, string>> = {
  address: NOT_FOUND,
  resolve: NOT_FOUND,
  connect: 'The store reset the connection. Retry; if it happens again, check its load balancer and firewall.',
  tls: 'The TLS connection to the store failed. Use a valid certificate that names this host.',
  timeout:
    'The store was too slow: it did not respond in time. Retry; if it happens again, contact the operator of the store.',
  credentials: 'The store rejects these credentials: a key or secret is wrong, expired or revoked. Create a new one.',
  clock:
    'The clocks of the store and of this service differ by more than the store accepts. Correct the clock of the store.',
  permission: 'The credentials are valid, but do not permit this.',
  container: 'There is no such bucket or container. Create it, or check its name and region.',
  full: 'The store is full or over its quota. Free some space or raise the quota.',
  failing: 'The store responded with a server error. Retry; if it happens again, contact the operator of the store.',
};

/** The permission that each check needs. */
const PERMISSIONS: Partial<Record<CheckName, string>> = {
  list: 'Allow listing (S3: s3:ListBucket on the bucket; Azure: read and list).',
  write: 'Allow writing (S3: s3:PutObject and s3:AbortMultipartUpload on the objects; Azure: add and write).',
  read_back: 'Allow reading (S3: s3:GetObject on the objects; Azure: read).',
  range_read: 'Allow reading (S3: s3:GetObject on the objects; Azure: read).',
  upload_in_parts:
    'Allow uploads in parts (S3: s3:PutObject, s3:ListMultipartUploadParts and s3:AbortMultipartUpload on the objects; Azure: read, add and write).',
  delete: 'Allow deleting (S3: s3:DeleteObject on the objects; Azure: delete).',
};

const REASONS: Readonly<Record<StoreErrorKind, CheckReason>> = {
  address: 'unresolved',
  resolve: 'unresolved',
  connect: 'connection',
  tls: 'tls',
  timeout: 'timeout',
  credentials: 'credentials',
  clock: 'clock',
  permission: 'permission',
  container: 'container',
  full: 'full',
  failing: 'failing',
};

const CODES: Readonly<Record<string, Advice>> = {
  InvalidAccessKeyId: {
    reason: 'unknown_key',
    message: 'The store does not know this access key: it is mistyped, expired or revoked. Create a new key.',
  },
  ExpiredToken: { reason: 'expired_key', message: 'This access key has expired. Create a new key.' },
  SignatureDoesNotMatch: {
    reason: 'wrong_secret',
    message: 'The secret does not match the access key. Copy it again completely, or create a new key.',
  },
};

/** The fault and how to fix it. Never contains text that the store sent. */
export function adviceOn(check: CheckName, failure: StoreError | Finding): Advice {
  if (failure instanceof Finding) return { reason: failure.reason, message: failure.message };
  const { kind, code } = failure;
  if (check === 'reach' && CONNECTION_FAULTS.includes(kind)) return { reason: 'unreachable', message: UNREACHABLE };
  const known = kind === 'credentials' ? CODES[code] : undefined;
  if (known) return known;
  const permission = kind === 'permission' ? PERMISSIONS[check] : undefined;
  return { reason: REASONS[kind], message: [ADVICE[kind], permission].filter(Boolean).join(' ') };
}
