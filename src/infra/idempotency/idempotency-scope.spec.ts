import { randomUUID } from 'node:crypto';
import { ANONYMOUS } from '#kernel/context/identity';
import { type AppRequest } from '#infra/http/request/app-request';
import { idempotencyScopeOf } from './idempotency-scope';

const fingerprintOf = (body: object, key: string): string | undefined => {
  const request = {
    method: 'POST',
    path: '/links',
    route: { path: '/links' },
    query: {},
    body,
    get: () => key,
    context: { requestId: 'r', sourceIp: null, identity: ANONYMOUS, clock: { now: () => new Date(0) } },
  };
  return idempotencyScopeOf(request as unknown as AppRequest)?.fingerprint.toString('hex');
};

describe('the fingerprint of a request', () => {
  const [key, other] = [randomUUID(), randomUUID()];

  // red when: the fingerprint of a body with a password is a digest of values that are known or can be guessed
  it('contains the key if the body contains a password', () => {
    const body = { name: 'Fair', password: 'sunny harbour' };
    expect(fingerprintOf(body, key)).toBe(fingerprintOf({ ...body }, key));
    expect(fingerprintOf(body, key)).not.toBe(fingerprintOf(body, other));
    expect(fingerprintOf(body, key)).not.toBe(fingerprintOf({ ...body, password: 'rainy harbour' }, key));
  });

  it('is the same for another key without one, as processes of the previous release compute it', () => {
    expect(fingerprintOf({ name: 'Fair' }, key)).toBe(fingerprintOf({ name: 'Fair' }, other));
  });
});
