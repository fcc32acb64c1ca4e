import { comparableUdid, formatUdid, isUdid } from './udid';

const OLD = '2b6f0cc904d137be2e1730235f5664094b831186';

describe('isUdid', () => {
  it.each([OLD, OLD.toUpperCase(), '00008101-000A1C3E0E88001E', '00008101000a1c3e0e88001e', ` ${OLD} `])(
    'accepts %s',
    (text) => expect(isUdid(text)).toBe(true),
  );

  it.each(['', 'FFFF', `${OLD}0`, `g${OLD.slice(1)}`, '-'.repeat(24), `-${OLD}`, '00008101--000A1C3E0E88001E', "='a'"])(
    'rejects "%s"',
    (text) => expect(isUdid(text)).toBe(false),
  );
});

describe('formatUdid', () => {
  it.each([
    [OLD.toUpperCase(), OLD],
    ['00008101000a1c3e0e88001e', '00008101-000A1C3E0E88001E'],
    ['f81d4fae7dec11d0a76500a0c91e6bf6', 'F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6'],
  ])('writes %s as %s', (udid, formatted) => {
    expect(formatUdid(udid)).toBe(formatted);
    expect(comparableUdid(formatted)).toBe(comparableUdid(udid));
  });
});
