import { ANONYMOUS } from '#kernel/context/identity';
import { requireFuture } from './token-expiry';

describe('requireFuture', () => {
  const now = new Date('2026-01-01T00:00:00.000Z');
  const ctx = { requestId: 'r', sourceIp: null, identity: ANONYMOUS, clock: { now: () => now } };

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
