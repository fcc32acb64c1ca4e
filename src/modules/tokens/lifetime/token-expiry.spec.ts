import { ANONYMOUS } from '#kernel/context/identity';
import { requireFuture, requireNotExpired } from './token-expiry';

const now = new Date('2026-01-01T00:00:00.000Z');
const ctx = { requestId: 'r', sourceIp: null, identity: ANONYMOUS, clock: { now: () => now } };

describe('requireFuture', () => {
  it('accepts no expiry and an expiry in the future', () => {
    expect(() => requireFuture(ctx, null)).not.toThrow();
    expect(() => requireFuture(ctx, new Date(now.getTime() + 1))).not.toThrow();
  });

  it.each([0, -1])('rejects an expiry %i ms from now', (after) => {
    expect(() => requireFuture(ctx, new Date(now.getTime() + after))).toThrow(
      expect.objectContaining({
        message: 'expires_at must be in the future.',
        details: { reason: 'expires_in_the_past' },
      }) as Error,
    );
  });
});

describe('requireNotExpired', () => {
  it('accepts no expiry and an expiry in the future', () => {
    expect(() => requireNotExpired(ctx, null)).not.toThrow();
    expect(() => requireNotExpired(ctx, new Date(now.getTime() + 1))).not.toThrow();
  });

  it.each([0, -1])('rejects an expiry %i ms from now', (after) => {
    expect(() => requireNotExpired(ctx, new Date(now.getTime() + after))).toThrow(
      expect.objectContaining({
        errorCase: 'operation_not_allowed',
        message: 'This token has expired. Create a new one.',
        details: { reason: 'token_expired' },
      }) as Error,
    );
  });
});
