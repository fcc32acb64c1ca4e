import { compareVersions } from './compare-versions';

describe('compareVersions', () => {
  it.each([
    ['1.2.3', '1.2.4'],
    ['1.9', '1.10'],
    ['1.2', '1.2.0.1'],
    ['2.0-beta', '2.0'],
    ['2.0-alpha', '2.0-beta'],
    ['1.0.4 [BETA]', '1.0.5'],
    ['9', '12884901895'],
    ['1.99999999999999999998', '1.99999999999999999999'],
    ['', '1'],
  ])('orders %s before %s', (lower, higher) => {
    expect(compareVersions(lower, higher)).toBeLessThan(0);
    expect(compareVersions(higher, lower)).toBeGreaterThan(0);
  });

  it.each([
    ['1.0', '1'],
    ['v1.2', '1.2.0'],
    ['1.02', '1.2'],
    ['1.0-RC1', '1.0_rc1'],
  ])('treats %s and %s as equal', (a, b) => expect(compareVersions(a, b)).toBe(0));
});
