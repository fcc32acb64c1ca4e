import { arrivedBytes, describesItself, isSameFile, missingParts } from '../src/upload/parts';

const upload = (...arrived: boolean[]) => ({
  part_size_bytes: 8,
  size_bytes: 8 * (arrived.length - 1) + 3,
  parts: arrived.map((has, index) => ({
    part_number: index + 1,
    size_bytes: index === arrived.length - 1 ? 3 : 8,
    arrived: has,
  })),
});

describe('the parts of an upload', () => {
  it('that are missing are the ranges that the service does not have', () => {
    expect(missingParts(upload(true, false, true, false))).toEqual([
      { number: 2, start: 8, end: 16 },
      { number: 4, start: 24, end: 27 },
    ]);
    expect(missingParts(upload(true, true))).toEqual([]);
    expect(missingParts(upload(false))).toEqual([{ number: 1, start: 0, end: 3 }]);
  });

  it('that have arrived count with their own size', () => {
    expect(arrivedBytes(upload(true, false, true))).toBe(11);
    expect(arrivedBytes(upload(false, false))).toBe(0);
  });
});

describe('the file of an upload', () => {
  const begun = { name: 'Rocket.ipa', size: 100, modified: 1_700_000_000_000 };

  it('is the same if its name, size and time are the same', () => {
    expect(isSameFile(begun, { ...begun })).toBe(true);
  });

  it.each([{ name: 'rocket.ipa' }, { size: 101 }, { modified: begun.modified + 1 }])(
    'is a different file with %j',
    (change) => {
      expect(isSameFile(begun, { ...begun, ...change })).toBe(false);
    },
  );

  it.each([
    ['Rocket.ipa', true],
    ['ROCKET.APK', true],
    ['rocket.1.2.aab', true],
    ['Rocket.dmg', false],
    ['Rocket.ipa.zip', false],
    ['ipa', false],
  ])('%s contains its version and platform: %s', (name, expected) => {
    expect(describesItself(name)).toBe(expected);
  });
});
