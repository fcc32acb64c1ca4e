import { localName } from './local-name';

describe('The name of a downloaded file', () => {
  it.each([
    ['My App.apk', 'My App.apk'],
    ['../../.ssh/authorized_keys', 'authorized_keys'],
    ['..\\..\\evil.exe', 'evil.exe'],
    ['.agate.json', '_agate.json'],
    ['..', '_'],
    ['/', 'artifact'],
    ['', 'artifact'],
    ['a\u001b[2J\0b.apk', 'a_[2J_b.apk'],
  ])('of %j is %j', (file_name, expected) => {
    expect(localName({ file_name })).toBe(expected);
  });
});
