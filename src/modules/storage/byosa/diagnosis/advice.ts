import { type StoreError, type StoreErrorKind } from '#infra/blob/store-errors';
import { type CheckName } from './check';

/** What a check found wrong by itself, in words for people. */
export class Finding extends Error {}

/** One for both: a customer learns nothing about which names there are inside. */
export const NOT_FOUND =
  'The host name of the endpoint was not found, or leads to an address that is not public. Check its spelling and its DNS entry, ' +
  'and use an address of the internet.';

/** One for all that can be wrong with a connection: a customer learns nothing about what else listens at an address. */
const UNREACHABLE =
  'Nothing at this address answered as an object store, by TLS and within a few seconds. Check the host and the port, that its ' +
  'certificate is valid, and that no firewall is before it.';

const UNREACHED: readonly StoreErrorKind[] = ['connect', 'tls', 'timeout'];

const ADVICE: Readonly<Record<StoreErrorKind, string>> = {
  address: NOT_FOUND,
  resolve: NOT_FOUND,
  connect: 'The store broke the connection off (reset). Try again; if it stays, look at its load balancer or firewall.',
  tls: 'The TLS connection to the store failed. Its certificate must be valid and name this host.',
  timeout: 'The store was too slow: it gave no answer in time. Try again; if it stays, ask who runs the store.',
  credentials:
    'The store refuses these credentials: a key or secret is wrong, has expired, or was revoked. Make a new one.',
  clock:
    'The clocks of the store and of this service differ by more than the store accepts. Set the clock of the store.',
  permission: 'The credentials are good, but not allowed to do this.',
  container: 'There is no such bucket or container. Create it, or check its name and region.',
  full: 'The store is full, or over its quota. Make room or raise the quota.',
  failing: 'The store answered with an error of its own (like 500). Try again; if it stays, ask who runs the store.',
};

/** What the credentials lack, by what was tried. */
const PERMISSIONS: Partial<Record<CheckName, string>> = {
  list: 'Allow listing (S3: s3:ListBucket on the bucket; Azure: read and list).',
  write: 'Allow writing (S3: s3:PutObject and s3:AbortMultipartUpload on the objects; Azure: add and write).',
  read_back: 'Allow reading (S3: s3:GetObject on the objects; Azure: read).',
  range_read: 'Allow reading (S3: s3:GetObject on the objects; Azure: read).',
  delete: 'Allow deleting (S3: s3:DeleteObject on the objects; Azure: delete).',
};

const CODES: Readonly<Record<string, string>> = {
  InvalidAccessKeyId:
    'The store does not know this access key: it is mistyped, has expired, or was revoked. Make a new key.',
  ExpiredToken: 'This access key has expired. Make a new key.',
  SignatureDoesNotMatch: 'The secret does not belong to the access key. Copy it again, whole, or make a new key.',
};

/** Says what is wrong and what to do; never anything that the other side said. */
export function adviceOn(check: CheckName, failure: StoreError | Finding): string {
  if (failure instanceof Finding) return failure.message;
  const { kind, code } = failure;
  if (check === 'reach' && UNREACHED.includes(kind)) return UNREACHABLE;
  if (kind === 'permission') return [ADVICE.permission, PERMISSIONS[check]].filter(Boolean).join(' ');
  return (kind === 'credentials' ? CODES[code] : undefined) ?? ADVICE[kind];
}
