import { versionName } from './version-name';

describe('the name of a version', () => {
  it.each([
    ['2.4.0', '318', '2.4.0 (318)'],
    ['2.4.0', null, '2.4.0'],
    ['2.4.0', '2.4.0', '2.4.0'],
  ])('of %s with the build number %s is %s', (version, buildNumber, name) =>
    expect(versionName(version, buildNumber)).toBe(name),
  );
});
