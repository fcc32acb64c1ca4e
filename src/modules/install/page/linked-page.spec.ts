import { detectDevice, type Device, type DeviceOs } from '#kernel/builds/device';
import { messagesFor } from '#infra/pages/messages/messages';
import { type InstallBuild } from './install-build';
import { installPageView, type InstallPageInput } from './install-page.view';

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
  minimumOsVersion: null,
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
    channel: { name: 'Beta' },
    manyBuilds: true,
    installBaseUrl: 'https://get.example.com',
    inviteToken: 't',
    device,
    now: new Date('2026-11-20T18:03:00Z'),
    messages,
    ...input,
  });
const hrefs = ({ leads }: ReturnType<typeof page>) =>
  leads.map(({ touchMac, card }) => [touchMac, card.variants[0]?.primary?.href.match(/builds(?:%2F|\/)([\w-]+)/)?.[1]]);
const rows = ({ lists }: ReturnType<typeof page>) =>
  lists.map(({ title, open, rows: some }) => [title, open, some.map(({ path }) => path.split('/').at(-1))]);

describe('what comes first', () => {
  it.each<[string, Device, InstallBuild[], unknown[], unknown[]]>([
    ['its own system', on('ios'), [ANDROID, IOS], [[null, 'ios']], [[words.lists.others, false, ['android']]]],
    [
      'the newest of its own',
      on('ipados'),
      [IOS, OLD_IOS],
      [[null, 'ios']],
      [[words.lists.others, false, ['old-ios']]],
    ],
    [
      'the only system there is',
      on('windows'),
      [IOS, OLD_IOS],
      [[null, undefined]],
      [[words.lists.others, false, ['old-ios']]],
    ],
    ['none of several', on('android'), [IOS, MAC], [[null, undefined]], [[words.lists.all, true, ['ios', 'mac']]]],
    [
      'a Mac’s and an iPad’s',
      EITHER,
      [IOS, MAC],
      [
        ['no', 'mac'],
        ['yes', 'ios'],
      ],
      [[words.lists.all, false, ['ios', 'mac']]],
    ],
    [
      'an iPad’s alone',
      EITHER,
      [IOS, ANDROID],
      [
        ['no', undefined],
        ['yes', 'ios'],
      ],
      [[words.lists.all, true, ['ios', 'android']]],
    ],
    [
      'what is for neither',
      EITHER,
      [ANDROID, WINDOWS],
      [[null, undefined]],
      [[words.lists.all, true, ['android', 'windows']]],
    ],
    ['nothing', on('ios'), [], [[null, undefined]], []],
  ])('%s', (_name, device, builds, leads, lists) => {
    const view = page(device, builds);
    expect(hrefs(view)).toEqual(leads);
    expect(rows(view)).toEqual(lists);
  });

  it('says where it is from, and does not say so twice', () => {
    expect(page(on('ios'), [IOS]).leads[0]?.card.eyebrow).toBe('Tidewater · Beta');
    expect(page(on('ios'), [{ ...IOS, appName: 'Tidewater' }]).leads[0]?.card.eyebrow).toBe('Beta');
    expect(page(on('ios'), [IOS], { channel: null }).leads[0]?.card.eyebrow).toBe('Tidewater');
  });

  it('keeps earlier versions folded', () => {
    expect(rows(page(on('ios'), [IOS], { older: [OLD_IOS] }))).toEqual([[words.lists.older, false, ['old-ios']]]);
  });

  it('says through which channel a tester has a build', () => {
    const view = page(on('ios'), [IOS, { ...OLD_IOS, channelName: 'Nightly' }], { channel: null });
    expect(view.lists[0]?.rows[0]?.details).toEqual(['Version 0.9', 'iOS', 'Nightly', '3 days ago']);
  });

  it.each([
    ['windows', [IOS, ANDROID], [`?device=ipad`, `?device=android`]],
    ['windows', [IOS, MAC], [`?device=ipad`]],
    ['windows', [MAC, build('linux', { platform: 'linux' })], []],
  ] as const)('shows a code on %s where there is something for phones', (os, builds, choices) => {
    const [action] = page(on(os), [...builds]).leads[0]!.card.variants;
    expect(action?.scan === undefined).toBe(choices.length === 0);
    expect(action?.secondary.map(({ href }) => href)).toEqual(choices.map((choice) => `/install/t${choice}`));
  });

  it('takes the reader’s word for their device', () => {
    const device = { ...detectDevice('Mozilla/5.0 (Windows NT 10.0)'), os: 'android' as const };
    expect(hrefs(page(device, [IOS, ANDROID]))).toEqual([[null, 'android']]);
  });
});

describe('one build of many', () => {
  it('has its own address in code and copy, and its own files', () => {
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

it.each([
  ['leads back from one build to all', { buildId: 'ios' }, '/install/t'],
  ['leads back to nothing from there', {}, null],
])('%s', (_name, input, back) => {
  expect(page(on('ios'), [IOS], input).back).toBe(back);
});

describe('taking part', () => {
  const { participation } = words;
  it.each([
    ['Beta', true, false, 'unsubscribe', participation.unsubscribe],
    ['Beta', false, false, 'subscribe', participation.subscribe],
    [null, true, false, 'decline', participation.decline],
    [null, false, false, 'subscribe', participation.rejoin],
  ] as const)('in %s: %p, spent: %p', (channelName, takesPart, spent, action, submit) => {
    const view = page(on('ios'), [IOS], { participation: { channelName, takesPart, spent } });
    expect(view.participation).toMatchObject({
      form: { action: `/install/t/${action}`, submit },
      note: participation.personal,
    });
  });

  // red when: the form is offered again
  it('is not changed twice by one link', () => {
    const view = page(on('ios'), [IOS], { participation: { channelName: 'Beta', takesPart: true, spent: true } });
    expect(view.participation).toMatchObject({ form: null, note: participation.spent });
  });

  it('is not spoken of where nobody in particular reads', () => {
    expect(page(on('ios'), [IOS]).participation).toBeNull();
  });
});
