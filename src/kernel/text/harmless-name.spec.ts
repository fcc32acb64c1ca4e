import { isHarmlessName, isHarmlessTitle } from './harmless-name';

describe('isHarmlessTitle', () => {
  it.each([
    'Acme',
    'Müller & Söhne GmbH',
    'Acme (Europe) Inc.',
    'St. Pauli e. V., Hamburg',
    '3M',
    '株式会社アクメ',
    "L'Oréal – no".slice(0, 7),
  ])('accepts the name of an organization: %s', (name) => expect(isHarmlessTitle(name)).toBe(true));

  it.each([
    'evil.example',
    'Acme https://evil.example',
    'www.evil.example',
    'a@b',
    'Acme: your account',
    '',
    ' Acme',
    'x'.repeat(61),
    'Acme\u202e',
  ])('rejects text of a link or a message: %s', (name) => expect(isHarmlessTitle(name)).toBe(false));
});

describe('isHarmlessName', () => {
  it.each(['Ann', "Ann O'Neil-Smith, PhD"])('accepts the name of a person: %s', (name) =>
    expect(isHarmlessName(name)).toBe(true),
  );
  it.each(['evil.example', 'a/b', 'x'.repeat(41)])('rejects text of a link or a message: %s', (name) =>
    expect(isHarmlessName(name)).toBe(false),
  );
});
