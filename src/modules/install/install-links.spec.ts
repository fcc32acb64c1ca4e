import { installLinks } from './install-links';

describe('installLinks', () => {
  it('names every address of a token', () => {
    expect(installLinks('https://get.example.com', 'agi_abc', 'ipa')).toEqual({
      page: 'https://get.example.com/install/agi_abc',
      pagePath: '/install/agi_abc',
      itmsServices:
        'itms-services://?action=download-manifest&url=https%3A%2F%2Fget.example.com%2Finstall%2Fagi_abc%2Fmanifest.plist',
      package: '/install/agi_abc/package.ipa',
      icon: '/install/agi_abc/icon.png',
      qrCode: '/install/agi_abc/qr.svg',
      acceptedByIos: true,
      localOnly: false,
    });
  });

  it.each(['https://e.com/apps', 'https://e.com/apps/'])('keeps the path of %s', (base) => {
    expect(installLinks(base, 't', 'apk')).toMatchObject({
      page: 'https://e.com/apps/install/t',
      package: '/apps/install/t/package.apk',
    });
  });

  it('lets neither a token nor an extension leave its place', () => {
    expect(installLinks('https://e.com', '../x?y', 'a/b"').package).toBe('/install/..%2Fx%3Fy/package.a%2Fb%22');
  });

  it.each([
    ['https://get.example.com', true, false],
    ['http://get.example.com', false, false],
    ['http://192.168.1.20:3000', false, false],
    ['http://localhost.evil.com', false, false],
    ['http://localhost:3000', true, true],
    ['http://127.0.0.1:3000', true, true],
    ['http://[::1]:3000', true, true],
    ['http://agate.localhost', true, true],
  ])('%s: iOS accepts it: %p, only this machine: %p', (base, acceptedByIos, localOnly) => {
    expect(installLinks(base, 't', 'ipa')).toMatchObject({ acceptedByIos, localOnly });
  });
});
