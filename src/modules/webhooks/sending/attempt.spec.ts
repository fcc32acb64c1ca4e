import { retryAfterOf, verdictOn, waitAfter } from './attempt';

describe('verdictOn', () => {
  it.each([
    [204, null, 'sent'],
    [410, 'status', 'gone'],
    [400, 'status', 'event'],
    [404, 'status', 'event'],
    [408, 'status', 'endpoint'],
    [429, 'status', 'endpoint'],
    [302, 'status', 'endpoint'],
    [503, 'status', 'endpoint'],
    [null, 'timeout', 'endpoint'],
    [null, 'not_public', 'endpoint'],
    [null, 'internal', 'event'],
  ] as const)('status %s with the error %s means %s', (status, error, verdict) =>
    expect(verdictOn({ status, error })).toBe(verdict),
  );
});

describe('waitAfter', () => {
  // red when: a step is left out, or the jitter shortens a wait
  it('waits for an endpoint as the Standard Webhooks propose, and longer by chance', () => {
    const seconds = (failures: number, random = 0) => waitAfter('endpoint', failures, null, random)! / 1000;
    const steps = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400, 86_400];
    expect(steps.map((_, failures) => seconds(failures))).toEqual(steps);
    expect(seconds(1, 1)).toBeCloseTo(330);
  });

  it('parks an event with the sixth rejection within an hour', () => {
    const waits = [0, 1, 2, 3, 4].map((failures) => waitAfter('event', failures, null, 1)!);
    expect(waits.reduce((sum, wait) => sum + wait, 0)).toBeLessThan(3_600_000);
    expect(waitAfter('event', 5, null, 0)).toBeNull();
  });

  it('lets Retry-After lengthen a wait up to an hour, and never shorten it', () => {
    expect(waitAfter('endpoint', 0, 90_000, 0)).toBe(90_000);
    expect(waitAfter('endpoint', 0, 86_400_000, 0)).toBe(3_600_000);
    expect(waitAfter('endpoint', 4, 1_000, 0)).toBe(18_000_000);
  });
});

describe('retryAfterOf', () => {
  it('reads seconds and dates, and ignores anything else', () => {
    const now = new Date('2026-11-26T10:00:00Z');
    expect(retryAfterOf('120', now)).toBe(120_000);
    expect(retryAfterOf('Thu, 26 Nov 2026 10:01:00 GMT', now)).toBe(60_000);
    expect(retryAfterOf('Thu, 26 Nov 2026 09:00:00 GMT', now)).toBe(0);
    for (const header of [null, '', 'soon', '-1', '1e9']) expect(retryAfterOf(header, now) ?? null).toBeNull();
  });
});
