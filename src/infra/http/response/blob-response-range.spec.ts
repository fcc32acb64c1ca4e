import fc from 'fast-check';
import { parseRange } from './blob-response';

const ETAG = '"abc"';
const part = (start: number, end: number) => ({ kind: 'part', range: { start, end } });
const parts = (...ranges: [number, number][]) => ({
  kind: 'parts',
  ranges: ranges.map(([start, end]) => ({ start, end })),
});
const many = (count: number): string => Array.from({ length: count }, (_, at) => `${at}-${at}`).join(', ');
const whole = { kind: 'whole' };
const unsatisfiable = { kind: 'unsatisfiable' };

describe('parseRange', () => {
  it.each([
    [undefined, whole],
    ['bytes=0-0', part(0, 0)],
    ['bytes=0-', part(0, 99)],
    ['bytes=0-99', part(0, 99)],
    ['bytes=0-100', part(0, 99)],
    ['bytes=10-19', part(10, 19)],
    ['bytes=99-', part(99, 99)],
    ['bytes=5-99999999999999999999999', part(5, 99)],
    ['bytes=-1', part(99, 99)],
    ['bytes=-100', part(0, 99)],
    ['bytes=-101', part(0, 99)],
    ['BYTES = 1-2', part(1, 2)],
    ['bytes=100-', unsatisfiable],
    ['bytes=100-200', unsatisfiable],
    ['bytes=99999999999999999999999-', unsatisfiable],
    ['bytes=-0', unsatisfiable],
    ['bytes=0-1,5-6', parts([0, 1], [5, 6])],
    ['bytes=0-0, 1-1,\t98-200', parts([0, 0], [1, 1], [98, 99])],
    [`bytes=${many(100)}`, parts(...Array.from({ length: 100 }, (_, at): [number, number] => [at, at]))],
    ['bytes=0-1,1-2', whole],
    ['bytes=5-6,0-1', whole],
    ['bytes=0-1,6-5', whole],
    ['bytes=0-1,5-', whole],
    ['bytes=0-1,-5', whole],
    ['bytes=0-1,100-101', whole],
    ['bytes=0-1,', whole],
    ['bytes=0-1,9999999999999999-9999999999999999', whole],
    ['items=0-1,5-6', whole],
    ['bytes=5-4', whole],
    ['bytes=-', whole],
    ['bytes=a-b', whole],
    ['bytes=0-1x', whole],
    ['bytes=+1-2', whole],
    ['bytes=1.5-2', whole],
    ['items=0-1', whole],
    ['', whole],
    ['bytes', whole],
  ])('maps %j for a blob of 100 bytes to %j', (header, plan) => {
    expect(parseRange(header, undefined, ETAG, 100)).toEqual(plan);
  });

  it.each([
    [ETAG, part(10, 19)],
    ['"other"', whole],
    ['W/"abc"', whole],
    ['abc', whole],
    ['Fri, 20 Nov 2026 00:00:00 GMT', whole],
  ])('maps a range with If-Range %j to %j', (ifRange, plan) => {
    expect(parseRange('bytes=10-19', ifRange, ETAG, 100)).toEqual(plan);
  });

  it.each(['bytes=0-', 'bytes=0-0', 'bytes=-5'])('finds %j unsatisfiable for an empty blob', (header) => {
    expect(parseRange(header, undefined, ETAG, 0)).toEqual(unsatisfiable);
  });

  // red when: the number of ranges has no limit
  it('serves 200 ranges, and the whole blob for more', () => {
    expect(parseRange(`bytes=${many(200)}`, undefined, ETAG, 10_000).kind).toBe('parts');
    expect(parseRange(`bytes=${many(201)}`, undefined, ETAG, 10_000)).toEqual(whole);
    expect(parseRange(`bytes=${many(10_000)}`, undefined, ETAG, 10_000)).toEqual(whole);
  });

  // red when: ranges may overlap, so that a short header causes a response longer than the blob
  it('never returns more bytes in several ranges than the blob has', () => {
    const ranges = fc.array(fc.tuple(fc.nat(500), fc.nat(500)), { minLength: 2, maxLength: 20 });
    fc.assert(
      fc.property(ranges, fc.nat(500), (specs, sizeBytes) => {
        const header = `bytes=${specs.map(([a, b]) => `${a}-${b}`).join(',')}`;
        const plan = parseRange(header, undefined, ETAG, sizeBytes);
        if (plan.kind !== 'parts') return true;
        return plan.ranges.reduce((sum, { start, end }) => sum + end - start + 1, 0) <= sizeBytes;
      }),
      { numRuns: 1_000 },
    );
  });

  it('never returns a range outside the blob', () => {
    const header = fc.oneof(
      fc.string(),
      fc.tuple(fc.nat(), fc.nat()).map(([a, b]) => `bytes=${a}-${b}`),
    );
    fc.assert(
      fc.property(header, fc.nat(5_000), (range, sizeBytes) => {
        const plan = parseRange(range, undefined, ETAG, sizeBytes);
        if (plan.kind !== 'part') return true;
        return 0 <= plan.range.start && plan.range.start <= plan.range.end && plan.range.end < sizeBytes;
      }),
      { numRuns: 1_000 },
    );
  });
});
