import { chosenDevice, detectDevice, type Device, type DeviceOs } from './device';
import { iosRefusal, mayHaveIos } from './ios-device';
import { iosVersionOf } from './ios-version';

const APPLE = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
const iphone = (system: string, rest: string): string =>
  `Mozilla/5.0 (iPhone; CPU iPhone OS ${system} like Mac OS X) ${APPLE} ${rest}`;
const safari = (system: string, version: string): string =>
  iphone(system, `Version/${version} Mobile/15E148 Safari/604.1`);

describe('iosVersionOf', () => {
  it.each([
    ['Safari of iOS 12', safari('12_5_7', '12.1.2'), '12.5.7'],
    ['Safari of iOS 17', safari('17_4', '17.4'), '17.4'],
    ['Safari of iOS 18', safari('18_6', '18.6'), '18.6'],
    ['Safari of iOS 26, which says 18.6', safari('18_6', '26.1'), '26.1'],
    ['Chrome of iOS 16', iphone('16_7', 'CriOS/120.0 Mobile/15E148 Safari/604.1'), '16.7'],
    ['a browser whose system may be a later one', iphone('18_6', 'CriOS/140.0 Mobile/15E148 Safari/604.1'), null],
    ['a WebView whose system may be a later one', iphone('18_7', 'Mobile/15E148'), null],
    ['the installer', 'com.apple.appstored/1.0 iOS/18.0 model/iPhone15,2 hwp/t8120', '18.0'],
    ['an iPad that says Macintosh', `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${APPLE} Version/26.0`, null],
    ['no version', 'Mozilla/5.0 (iPhone) Mobile', null],
    ['a version of a thousand digits', iphone('1'.repeat(1000), 'Version/17.0'), null],
  ])('reads the version of %s', (_, userAgent, version) => {
    expect(iosVersionOf(userAgent)).toBe(version);
  });

  it('is the version of the detected device, unless the reader chooses another device', () => {
    const device = detectDevice(safari('15_8', '15.8'));
    expect(device.osVersion).toBe('15.8');
    expect(chosenDevice(device, 'iphone').osVersion).toBe('15.8');
    expect(chosenDevice(device, 'ipad').osVersion).toBeUndefined();
  });
});

describe('iosRefusal', () => {
  const device = (os: DeviceOs, osVersion?: string): Device => ({
    os,
    ambiguousMac: false,
    inAppBrowser: null,
    isPreviewBot: false,
    ...(osVersion !== undefined && { osVersion }),
  });
  const app = (minimumOsVersion: string | null, ...deviceFamilies: string[]) => ({ minimumOsVersion, deviceFamilies });

  // red when: versions are compared as texts
  it.each([
    ['15.8', '16.0', true],
    ['9.3.5', '10', true],
    ['16.0', '16', false],
    ['16', '16.0.1', true],
    ['26.0', '17.4', false],
  ])('says whether iOS %s is older than the required %s', (present, needed, isOld) => {
    expect(iosRefusal(app(needed, 'iphone'), device('ios', present))).toEqual(
      isOld ? { reason: 'os_too_old', needed, present } : null,
    );
  });

  it('makes no claim when a version is unknown or unreadable', () => {
    expect(iosRefusal(app('16.0'), device('ios'))).toBeNull();
    expect(iosRefusal(app(null), device('ios', '12.0'))).toBeNull();
    expect(iosRefusal(app('sixteen'), device('ios', '12.0'))).toBeNull();
  });

  // red when: an iPad refuses an app for the iPhone, which it shows in a frame
  it('refuses an app for the iPad on an iPhone only', () => {
    expect(iosRefusal(app(null, 'ipad'), device('ios'))).toEqual({ reason: 'ipad_only' });
    expect(iosRefusal(app(null, 'ipad'), device('ipados'))).toBeNull();
    expect(iosRefusal(app(null, 'iphone', 'ipad'), device('ios'))).toBeNull();
    expect(iosRefusal(app(null, 'iphone'), device('ipados'))).toBeNull();
    expect(iosRefusal(app(null), device('ios'))).toBeNull();
  });
});

describe('mayHaveIos', () => {
  it('is true for a device that does not name its version', () => {
    const device = detectDevice(safari('15_8', '15.8'));
    expect(mayHaveIos(device, '16')).toBe(false);
    expect(mayHaveIos(device, '15')).toBe(true);
    expect(mayHaveIos(detectDevice(undefined), '16')).toBe(true);
  });
});
