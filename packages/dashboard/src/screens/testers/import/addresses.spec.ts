import { parseAddresses } from './addresses';

const emails = (text: string) => parseAddresses(text).people.map(({ email }) => email);

describe('pasted addresses', () => {
  it('may have any separators, and each counts once', () => {
    expect(emails(' a@x.org, b@x.org;c@x.org\td@x.org\r\ne@x.org f@x.org,,A@X.ORG <g@x.org>')).toEqual(
      ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => `${name}@x.org`),
    );
  });

  it('may have names', () => {
    expect(parseAddresses('Tess <tess@x.org>, "Doe, Bob" <bob@x.org>\nEve Roe <eve@x.org>').people).toEqual(
      expect.arrayContaining([
        { email: 'tess@x.org', name: 'Tess' },
        { email: 'bob@x.org', name: 'Doe, Bob' },
        { email: 'eve@x.org', name: 'Eve Roe' },
      ]),
    );
  });

  it('exclude texts without an at sign, or with two', () => {
    expect(parseAddresses('Tess tess@x.org a@@x.org b@x. c@')).toEqual({
      people: [{ email: 'tess@x.org', name: null }],
      wrong: ['Tess', 'a@@x.org', 'b@x.', 'c@'],
    });
    expect(parseAddresses(' \n')).toEqual({ people: [], wrong: [] });
  });
});
