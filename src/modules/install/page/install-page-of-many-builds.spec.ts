import { detectDevice, type Device, type DeviceOs } from '#kernel/builds/device';
import { messagesFor } from '#infra/pages/messages/messages';
import { type InstallBuild } from './card/install-build';
import { type InstallPageInput, installPageView } from './install-page.view';
import { addressesOfLink } from './link-addresses';

const messages = messagesFor('en');
const words = messages.install;

const build = (id: string, more: Partial<InstallBuild>): InstallBuild => ({
  id,
  channelName: null,
  platform: 'ios',
  appName: 'Harbour',
  bundleId: 'com.example.harbour',
  version: '1.0',
  buildNumber: null,
  notes: null,
  sizeBytes: 1,
  uploadedAt: new Date('2026-11-17T09:12:44Z'),
  delivery: { kind: 'uploaded', at: new Date('2026-11-17T09:12:44Z'), by: 'Anna Berg' },
  sha256: 'ab'.repeat(32),
  signer: 'Tidewater GmbH (TEAM)',
  minimumOsVersion: null,
  deviceFamilies: [],
  targetSdk: null,
  fileExtension: 'ipa',
  hasIcon: false,
  signing: 'ad_hoc',
  expiresAt: null,
  warnings: [],
  notInstallable: null,
  ...more,
});
const IOS = build('ios', {});
const OLD_IOS = build('old-ios', { version: '0.9' });
const ANDROID = build('android', { platform: 'android', fileExtension: 'apk' });
const MAC = build('mac', { platform: 'macos', fileExtension: 'dmg' });
const WINDOWS = build('windows', { platform: 'windows', fileExtension: 'exe' });

const on = (os: DeviceOs, ambiguousMac = false): Device => ({
  os,
  ambiguousMac,
  inAppBrowser: null,
  isPreviewBot: false,
});
const EITHER = on('macos', true);

const page = (device: Device, builds: InstallBuild[], input: Partial<InstallPageInput> = {}) =>
  installPageView({
    builds,
    project: { name: 'Tidewater' },
    brand: { name: 'Acme', logo: null, contact: null, privacyUrl: null, accent: null },
    channel: { name: 'Beta' },
    manyBuilds: true,
    addresses: addressesOfLink('https://get.example.com', 't'),
    device,
    now: new Date('2026-11-20T18:03:00Z'),
    messages,
    ...input,
  });
const hrefs = ({ leads }: ReturnType<typeof page>) =>
  leads.map(({ touchMac, card }) => [touchMac, card.variants[0]?.primary?.href.match(/builds(?:%2F|\/)([\w-]+)/)?.[1]]);
const rows = ({ lists }: ReturnType<typeof page>) =>
  lists.map(({ title, open, rows: some }) => [title, open, some.map(({ path }) => path.split('/').at(-1))]);

describe('the install page of a link with several builds', () => {
  it.each<[string, Device, InstallBuild[], unknown[], unknown[]]>([
    [
      'the build for the device',
      on('ios'),
      [ANDROID, IOS],
      [[null, 'ios']],
      [[words.lists.others, false, ['android']]],
    ],
    [
      'the newest build for the device',
      on('ipados'),
      [IOS, OLD_IOS],
      [[null, 'ios']],
      [[words.lists.others, false, ['old-ios']]],
    ],
    [
      'the newest build when all are for one platform',
      on('windows'),
      [IOS, OLD_IOS],
      [[null, undefined]],
      [[words.lists.others, false, ['old-ios']]],
    ],
    [
      'no build when none is for the device',
      on('android'),
      [IOS, MAC],
      [[null, undefined]],
      [[words.lists.all, true, ['ios', 'mac']]],
    ],
    [
      'the build for a Mac and the build for an iPad',
      EITHER,
      [IOS, MAC],
      [
        ['no', 'mac'],
        ['yes', 'ios'],
      ],
      [[words.lists.all, false, ['ios', 'mac']]],
    ],
    [
      'the build for an iPad alone',
      EITHER,
      [IOS, ANDROID],
      [
        ['no', undefined],
        ['yes', 'ios'],
      ],
      [[words.lists.all, true, ['ios', 'android']]],
    ],
    [
      'no build when none is for a Mac or an iPad',
      EITHER,
      [ANDROID, WINDOWS],
      [[null, undefined]],
      [[words.lists.all, true, ['android', 'windows']]],
    ],
    ['no build of an empty link', on('ios'), [], [[null, undefined]], []],
  ])('shows first %s', (_name, device, builds, leads, lists) => {
    const view = page(device, builds);
    expect(hrefs(view)).toEqual(leads);
    expect(rows(view)).toEqual(lists);
  });

  it('names project and channel above the app, without repeating the name of the app', () => {
    expect(page(on('ios'), [IOS]).leads[0]?.card.eyebrow).toBe('Tidewater · Beta');
    expect(page(on('ios'), [{ ...IOS, appName: 'Tidewater' }]).leads[0]?.card.eyebrow).toBe('Beta');
    expect(page(on('ios'), [IOS], { channel: null }).leads[0]?.card.eyebrow).toBe('Tidewater');
  });

  it('folds the list of earlier versions', () => {
    expect(rows(page(on('ios'), [IOS], { older: [OLD_IOS] }))).toEqual([[words.lists.older, false, ['old-ios']]]);
  });

  it('names the channel of each build of a tester', () => {
    const view = page(on('ios'), [IOS, { ...OLD_IOS, channelName: 'Nightly' }], { channel: null });
    expect(view.lists[0]?.rows[0]?.details).toEqual(['Version 0.9', 'iOS', 'Nightly', '3 days ago']);
  });

  it.each([
    ['windows', [IOS, ANDROID], [`?device=ipad`, `?device=android`]],
    ['windows', [IOS, MAC], [`?device=ipad`]],
    ['windows', [MAC, build('linux', { platform: 'linux' })], []],
  ] as const)('shows a QR code on %s only when a build is for phones (%#)', (os, builds, choices) => {
    const [action] = page(on(os), [...builds]).leads[0]!.card.variants;
    expect(action?.scan === undefined).toBe(choices.length === 0);
    expect(action?.secondary.map(({ href }) => href)).toEqual(choices.map((choice) => `/install/t${choice}`));
  });

  it('uses the device that the reader chose', () => {
    const device = { ...detectDevice('Mozilla/5.0 (Windows NT 10.0)'), os: 'android' as const };
    expect(hrefs(page(device, [IOS, ANDROID]))).toEqual([[null, 'android']]);
  });
});

describe('the install page of a channel whose current build the device does not install', () => {
  const BROKEN = build('broken', { notInstallable: { code: 'signature_broken', message: 'Broken.' } });
  const FOR_16 = build('for-16', { minimumOsVersion: '16.0' });
  const instead = (device: Device, builds: InstallBuild[], older: InstallBuild[]) =>
    page(device, builds, { older }).leads[0]!.card.variants[0]!.instead;

  // red when: the page of such a channel ends without a build to install
  it.each([
    ['the newest earlier one that can be installed', on('ios'), BROKEN, [{ ...BROKEN, id: 'b2' }, OLD_IOS], 'old-ios'],
    ['on a computer too', on('windows'), BROKEN, [OLD_IOS], 'old-ios'],
    [
      'for an old system',
      { ...on('ios'), osVersion: '14.8' },
      FOR_16,
      [build('b2', { minimumOsVersion: '15' }), OLD_IOS],
      'old-ios',
    ],
  ] as const)('offers %s', (_name, device, current, older, offered) => {
    expect(instead(device, [current], [...older])).toEqual({
      href: `/install/t/builds/${offered}`,
      label: 'Install 0.9 instead',
      page: true,
    });
  });

  it.each([
    ['all are broken', on('ios'), [BROKEN], [{ ...BROKEN, id: 'b2' }]],
    ['only another platform has one', on('ios'), [BROKEN, ANDROID], []],
    ['the current one can be installed', on('ios'), [IOS], [OLD_IOS]],
  ] as const)('offers none when %s', (_name, device, builds, older) => {
    expect(instead(device, [...builds], [...older])).toBeUndefined();
  });
});

describe('the install page of one of several builds', () => {
  it('has its own address in the QR code and the copy field, and its own files', () => {
    const { card } = page(on('windows'), [IOS], { buildId: 'ios' }).leads[0]!;
    expect([card.pageUrl, card.qrSrc]).toEqual([
      'https://get.example.com/install/t/builds/ios',
      '/install/t/builds/ios/qr.svg',
    ]);
    expect(card.variants[0]?.secondary.map(({ href }) => href)).toEqual([
      '/install/t/builds/ios?device=ipad',
      '/install/t/builds/ios/package.ipa',
    ]);
  });
});

describe('the back link of the install page', () => {
  it.each([
    ['leads from one build to all builds', { buildId: 'ios' }, '/install/t'],
    ['is absent on the page of all builds', {}, null],
  ])('%s', (_name, input, back) => {
    expect(page(on('ios'), [IOS], input).back).toBe(back);
  });
});

describe('the subscription panel', () => {
  const { subscriptionPanel: texts } = words;
  it.each([
    ['Beta', true, 'unsubscribe', texts.unsubscribe],
    ['Beta', false, 'subscribe', texts.subscribe],
    [null, true, 'decline', texts.decline],
    [null, false, 'subscribe', texts.rejoin],
  ] as const)('for the channel %s (active: %p) posts %s', (channelName, active, action, submit) => {
    const view = page(on('ios'), [IOS], {
      subscriptionPanel: { channelName, active, used: false, platforms: ['ios'] },
    });
    expect(view.subscriptionPanel).toMatchObject({
      form: { action: `/install/t/${action}`, submit },
      note: texts.personal,
    });
  });

  // red when: the form is shown for a used link
  it('has no form for a used link', () => {
    const view = page(on('ios'), [IOS], {
      subscriptionPanel: { channelName: 'Beta', active: true, used: true, platforms: ['ios'] },
    });
    expect(view.subscriptionPanel).toMatchObject({ form: null, note: texts.used });
  });

  // red when: a project of one platform asks about platforms, or one of two asks about five
  it.each([
    [['ios'], [], null],
    [[], [], null],
    [['ios', 'android'], [], [['ios', true], ['android', true]]], // prettier-ignore
    [['ios'], ['android'], [['ios', false], ['android', true]]], // prettier-ignore
  ] as const)('of a project for %j asks a tester of %j about %j', (platforms, mailPlatforms, options) => {
    const subscriptionPanel = { channelName: 'Beta', active: true, used: false, platforms, mailPlatforms };
    const { platforms: form } = page(on('ios'), [IOS], { subscriptionPanel }).subscriptionPanel!;
    expect(form?.options.map(({ value, checked }) => [value, checked]) ?? null).toEqual(options);
  });

  it('is absent for a link that belongs to no tester', () => {
    expect(page(on('ios'), [IOS]).subscriptionPanel).toBeNull();
  });
});
