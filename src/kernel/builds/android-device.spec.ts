import { androidRefusal, type AndroidRequirements, mayHaveAndroid, mayHaveOlderAndroid } from './android-device';
import { androidVersionOf } from './android-version';
import { chosenDevice, detectDevice } from './device';

const BLINK = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const chrome = (system: string): string =>
  `Mozilla/5.0 (Linux; ${system}) ${BLINK} Chrome/140.0.0.0 Mobile Safari/537.36`;

describe('androidVersionOf', () => {
  it.each([
    ['an old Chrome', chrome('Android 7.1.2; SM-G930F Build/NRD90M'), '7.1.2'],
    ['a WebView', chrome('Android 14; Pixel 8 Build/UQ1A; wv'), '14'],
    ['Firefox', 'Mozilla/5.0 (Android 15; Mobile; rv:142.0) Gecko/142.0 Firefox/142.0', '15'],
    ['a Chrome that names every device so', chrome('Android 10; K'), null],
    ['a device with Android 10', chrome('Android 10; SM-A105F'), '10'],
    ['no version', 'Mozilla/5.0 (Linux; Android; Mobile)', null],
    ['a version of a thousand digits', chrome(`Android ${'1'.repeat(1000)}`), null],
  ])('reads the version of %s', (_, userAgent, version) => {
    expect(androidVersionOf(userAgent)).toBe(version);
  });

  it('is the version of the detected device, unless the reader chooses another device', () => {
    const device = detectDevice(chrome('Android 9; Pixel 2'));
    expect(device).toMatchObject({ os: 'android', osVersion: '9' });
    expect(chosenDevice(device, 'iphone').osVersion).toBeUndefined();
  });
});

const device = (osVersion?: string) => ({
  os: 'android' as const,
  ambiguousMac: false,
  inAppBrowser: null,
  isPreviewBot: false,
  ...(osVersion !== undefined && { osVersion }),
});

describe('androidRefusal', () => {
  const app = (more: Partial<AndroidRequirements>): AndroidRequirements => ({
    minimumOsVersion: null,
    targetSdk: 35,
    warnings: [],
    ...more,
  });
  const warned = (code: string, targetSdk = 35) => app({ warnings: [{ code: 'debuggable' }, { code }], targetSdk });

  // red when: versions are compared as texts
  it.each([
    ['9', '10', true],
    ['7.0', '7.1', true],
    ['7.1.2', '7.1', false],
    ['12', '12L', false],
    ['14', 'API 99', false],
    ['14', null, false],
  ])('says whether Android %s is older than the required %s', (present, needed, isOld) => {
    expect(androidRefusal(app({ minimumOsVersion: needed }), device(present))).toEqual(
      isOld ? { reason: 'os_too_old', needed, present } : null,
    );
  });

  it.each<[string, number, string, string]>([
    ['v1_signature_only', 30, '10', '11'],
    ['resources_compressed', 35, '10', '11'],
    ['resources_unaligned', 35, '10', '11'],
    ['exported_missing', 35, '11', '12'],
    ['target_sdk_too_low', 22, '13', '14'],
    ['target_sdk_too_low', 23, '14', '15'],
  ])('begins for %s with target %i after Android %s', (code, targetSdk, before, from) => {
    expect(androidRefusal(warned(code, targetSdk), device(before))).toBeNull();
    expect(androidRefusal(warned(code, targetSdk), device(from))).toEqual({
      reason: 'os_too_new',
      code,
      present: from,
    });
  });

  it('makes no claim about an unknown version or about other warnings', () => {
    expect(androidRefusal(app({ minimumOsVersion: '12' }), device())).toBeNull();
    expect(androidRefusal(warned('exported_missing'), device())).toBeNull();
    for (const code of ['only_32_bit_libraries', 'toString'])
      expect(androidRefusal(warned(code), device('16'))).toBeNull();
  });
});

it('a device that does not name its version may have each of them', () => {
  expect([mayHaveAndroid(device(), '8'), mayHaveOlderAndroid(device(), '8')]).toEqual([true, true]);
  expect([mayHaveAndroid(device('7.1'), '8'), mayHaveOlderAndroid(device('7.1'), '8')]).toEqual([false, true]);
  expect([mayHaveAndroid(device('8.0'), '8'), mayHaveOlderAndroid(device('8.0'), '8')]).toEqual([true, false]);
});
