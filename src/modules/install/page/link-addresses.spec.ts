import { addressesOfLink } from './link-addresses';

const BUILD = '019a9d5e-7c1a-7b3e-9c55-0c8f4a6b2d10';

describe('LinkAddresses', () => {
  it('builds every address of the link of a build', () => {
    const addresses = addressesOfLink('https://get.example.com', 'agi_abc');
    expect(addresses.ofPage()).toEqual({
      page: 'https://get.example.com/install/agi_abc',
      pagePath: '/install/agi_abc',
      qrCode: '/install/agi_abc/qr.svg',
      acceptedByIos: true,
      localOnly: false,
    });
    expect(addresses.ofBuild({ fileExtension: 'ipa', buildId: null })).toEqual({
      itmsServices:
        'itms-services://?action=download-manifest&url=https%3A%2F%2Fget.example.com%2Finstall%2Fagi_abc%2Fmanifest.plist',
      package: '/install/agi_abc/package.ipa',
      icon: '/install/agi_abc/icon.png',
    });
  });

  it('builds the addresses of one of several builds, and of the forms', () => {
    const addresses = addressesOfLink('https://get.example.com', 'agi_abc');
    expect(addresses.ofPage(BUILD).pagePath).toBe(`/install/agi_abc/builds/${BUILD}`);
    expect(addresses.ofBuild({ fileExtension: 'apk', buildId: BUILD })).toMatchObject({
      package: `/install/agi_abc/builds/${BUILD}/package.apk`,
      icon: `/install/agi_abc/builds/${BUILD}/icon.png`,
    });
    expect(addresses.ofAction('decline')).toBe('/install/agi_abc/decline');
  });

  it.each(['https://e.com/apps', 'https://e.com/apps/'])('keeps the path of %s', (base) => {
    const addresses = addressesOfLink(base, 't');
    expect(addresses.ofPage().page).toBe('https://e.com/apps/install/t');
    expect(addresses.ofBuild({ fileExtension: 'apk', buildId: null }).package).toBe('/apps/install/t/package.apk');
  });

  it('escapes the token, the build id and the extension', () => {
    const file = addressesOfLink('https://e.com', '../x?y').ofBuild({ fileExtension: 'a/b"', buildId: '../z' });
    expect(file.package).toBe('/install/..%2Fx%3Fy/builds/..%2Fz/package.a%2Fb%22');
  });

  it.each([
    ['https://e.com', true, false],
    ['http://e.com', false, false],
    ['http://localhost:3000', true, true],
    ['http://127.0.0.1', true, true],
    ['http://app.localhost', true, true],
    ['http://[::1]:3000', true, true],
    ['http://localhost.evil.com', false, false],
  ])('tells, for %s, whether iOS accepts it (%s) and whether it is local (%s)', (base, acceptedByIos, localOnly) => {
    expect(addressesOfLink(base, 't').ofPage()).toMatchObject({ acceptedByIos, localOnly });
  });
});
