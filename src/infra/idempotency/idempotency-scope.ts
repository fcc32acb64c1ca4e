import { createHash } from 'node:crypto';
import { type Identity, quotaSubjectOf } from '#kernel/context/identity';
import { AppError } from '#kernel/errors/app-error';
import { isUuid } from '#kernel/ids';
import { type AppRequest } from '#infra/http/request/app-request';

/** Identifies the logical operation of a request. */
export interface IdempotencyScope {
  /** Digest of owner, method, route and key. */
  readonly id: Buffer;
  /** Digest of the owner of the key: the developer or project. */
  readonly owner: Buffer;
  /** Digest of path, query and body, and of the key when the body contains a password. */
  readonly fingerprint: Buffer;
  /** Context that the stored response is sealed with. It contains the key, so the response cannot be opened without the key. */
  readonly sealContext: string;
}

/**
 * The scope of a request, null when the request has no key.
 * @throws AppError validation_error for a key that is not a UUID.
 */
export function idempotencyScopeOf(request: AppRequest): IdempotencyScope | null {
  const key = keyOf(request);
  if (key === null) return null;
  const route = `${request.method} ${(request.route as { path: string }).path}`;
  const owner = ownerOf(request.context.identity);
  const parts = [request.path, sorted(request.query), sorted(request.body)];
  // A password can be guessed from a digest of the request, unless the digest contains the key, which is not stored.
  const content = JSON.stringify(hasPassword(request.body) ? [...parts, key] : parts);
  return {
    id: sha256(`${owner}\n${route}\n${key}`),
    owner: sha256(owner),
    fingerprint: sha256(content),
    sealContext: `idempotency|${owner}|${route}|${key}`,
  };
}

/** All tokens of a project are one owner, so that a CI job can retry with another token. */
const ownerOf = (identity: Identity): string =>
  identity.kind === 'project-token' ? `project:${identity.projectId}` : quotaSubjectOf(identity);

const hasPassword = (body: unknown): boolean => typeof body === 'object' && body !== null && 'password' in body;

/** Includes the body: after a rejected request the client may send the key again with a corrected body. */
export const operationOf = ({ id, fingerprint }: IdempotencyScope): string =>
  sha256(`${id.toString('hex')}\n${fingerprint.toString('hex')}`).toString('hex');

/** The client's key, bare or quoted (as in the IETF draft); null when none was sent. */
function keyOf(request: AppRequest): string | null {
  const sent = request.get('idempotency-key');
  if (sent === undefined) return null;
  const key = /^"(.*)"$/.exec(sent.trim())?.[1] ?? sent.trim();
  if (!isUuid(key)) throw AppError.validation([{ field: 'Idempotency-Key', messages: ['must be a UUID'] }]);
  return key.toLowerCase();
}

/** The value with sorted property names. The body is not validated yet, but the body parser has limited its depth and size. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value ?? null;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, inner]) => [name, sorted(inner)]),
  );
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();
