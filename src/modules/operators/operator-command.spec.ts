import fc from 'fast-check';
import { dollars, microUsdOf } from './operator-command';

describe('microUsdOf', () => {
  it.each([
    ['12.50', 12_500_000n],
    ['0.000001', 1n],
    ['-3', -3_000_000n],
    ['999999999.999999', 999_999_999_999_999n],
  ])('parses %s without rounding', (text, microUsd) => expect(microUsdOf(text, 'usd')).toBe(microUsd));

  it.each([undefined, '', '1,50', '1e3', '.5', '1.', '1.0000001', '$1', ' 1', '١', '0x10'])('rejects %j', (text) => {
    expect(() => microUsdOf(text, 'usd')).toThrow('must be an amount');
  });

  it('parses every amount that dollars() prints', () => {
    fc.assert(
      fc.property(fc.bigInt(-999_999_999_999_999n, 999_999_999_999_999n), (microUsd) => {
        expect(microUsdOf(dollars(microUsd).replace(' USD', ''), 'usd')).toBe(microUsd);
      }),
    );
    expect([12_500_000n, -1n, 0n, 1_000_000n].map(dollars)).toEqual([
      '12.50 USD',
      '-0.000001 USD',
      '0.00 USD',
      '1.00 USD',
    ]);
  });
});
