import { parseMailAddress } from './mail-message';

describe('parseMailAddress', () => {
  it.each([
    ['Agate <agate@localhost>', 'Agate', 'agate@localhost'],
    ['"Agate, builds" <a.b+c@x.example.org>', 'Agate, builds', 'a.b+c@x.example.org'],
    ['agate@localhost', '', 'agate@localhost'],
    [' <agate@localhost> ', '', 'agate@localhost'],
    ['Ägate <agate@bücher.example>', 'Ägate', 'agate@bücher.example'],
  ])('parses %j', (text, name, address) => {
    expect(parseMailAddress(text)).toEqual({ name, address });
  });

  it.each(['', 'Agate', 'Agate <>', 'a@b, c@d', 'A <a@b> <c@d>', 'A <a@b\n>'])('rejects %j', (text) => {
    expect(() => parseMailAddress(text)).toThrow('This is not an e-mail address.');
  });
});
