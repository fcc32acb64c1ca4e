import { createHash } from 'node:crypto';
import { type Identity, quotaSubjectOf } from '#kernel/context/identity';
import { AppError } from '#kernel/errors/app-error';
import { isUuid } from '#kernel/ids';
import { type AppRequest } from '#infra/http/request/app-request';
import { MAX_DEPTH } from '#infra/http/request/input-validation.pipe';

/** What makes two requests the same logical operation, and what tells them apart. */
export interface IdempotencyScope {
  /** Digest of owner, method, route and key. */
  readonly id: Buffer;
  /** Digest of whoever the answer is kept for. */
  readonly owner: Buffer;
  /** Digest of what was asked. */
  readonly fingerprint: Buffer;
  /** The context that the answer is sealed in: only who knows the key can open it. */
  readonly sealContext: string;
}

/**
 * The operation that a request is to make, or null without a key.
 * @throws AppError validation_error for a key that is no UUID, or a body nested without end.
 */
export function idempotencyScopeOf(request: AppRequest): IdempotencyScope | null {
  const key = keyOf(request);
  if (key === null) return null;
  const route = `${request.method} ${(request.route as { path: string }).path}`;
  const owner = ownerOf(request.context.identity);
  const asked = JSON.stringify([request.path, sorted(request.query), sorted(request.body)]);
  return {
    id: sha256(`${owner}\n${route}\n${key}`),
    owner: sha256(owner),
    fingerprint: sha256(asked),
    sealContext: `idempotency|${owner}|${route}|${key}`,
  };
}

/** A project is the same through every token of its own: a job may come again with the next. */
const ownerOf = (identity: Identity): string =>
  identity.kind === 'project-token' ? `project:${identity.projectId}` : quotaSubjectOf(identity);

/** Another body is another operation: a key whose request was refused may come again with a right one. */
export const operationOf = ({ id, fingerprint }: IdempotencyScope): string =>
  sha256(`${id.toString('hex')}\n${fingerprint.toString('hex')}`).toString('hex');

/** The client's key, bare or quoted (the IETF draft's form), or null. */
function keyOf(request: AppRequest): string | null {
  const sent = request.get('idempotency-key');
  if (sent === undefined) return null;
  const key = /^"(.*)"$/.exec(sent.trim())?.[1] ?? sent.trim();
  if (!isUuid(key)) throw AppError.validation([{ field: 'Idempotency-Key', messages: ['must be a UUID'] }]);
  return key.toLowerCase();
}

/** The same value however its names are ordered. Bodies are not checked yet here: one nested without end ends here. */
function sorted(value: unknown, depth = 0): unknown {
  if (depth > MAX_DEPTH) throw AppError.validation([{ field: '', messages: ['is nested too deeply'] }]);
  if (Array.isArray(value)) return value.map((inner) => sorted(inner, depth + 1));
  if (typeof value !== 'object' || value === null) return value ?? null;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, inner]) => [name, sorted(inner, depth + 1)]),
  );
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();
