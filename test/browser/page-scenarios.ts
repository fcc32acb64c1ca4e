import { errorPage } from '../../src/infra/pages/browser-error-pages';
import { MESSAGE_PAGE, type MessagePageView } from '../../src/infra/pages/message-page';
import { messagesFor } from '../../src/infra/pages/messages/messages';
import { type PageRenderer } from '../../src/infra/pages/rendering/page-renderer';
import { chosenDevice, detectDevice } from '../../src/kernel/builds/device';
import { AppError } from '../../src/kernel/errors/app-error';
import { type ErrorCase } from '../../src/kernel/errors/catalogue';
import {
  accountLinkInvalidPage,
  accountNoticePage,
  resetPasswordPage,
} from '../../src/modules/developers/mailed-links/account-pages';
import { type InstallBuild } from '../../src/modules/install/page/card/install-build';
import { INSTALL_PAGE, type InstallPageInput, installPageView } from '../../src/modules/install/page/install-page.view';
import { addressesOfLink } from '../../src/modules/install/page/link-addresses';
import { invitationPages } from '../../src/modules/organizations/invitations/invitation-acceptance.controller';

export const USER_AGENTS = {
  iphone:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1',
  mac: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15',
  android:
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
  firefoxOnAndroid: 'Mozilla/5.0 (Android 12; Mobile; rv:142.0) Gecko/142.0 Firefox/142.0',
  windows:
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  instagram:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/22G86 Instagram 390.0.0.28.85 (iPhone15,2; iOS 18_6; en_US)',
} as const;

/** A page in one state, and the device that shows it. */
export interface PageScenario {
  readonly name: string;
  readonly userAgent: keyof typeof USER_AGENTS;
  readonly html: (renderer: PageRenderer) => string;
}

const LINK = 'agi_3kV9mQ2xT7pLw8RzB4nYc6HdJ1sFgA5uEoKi0XvMtNq2WyPbC';
const NOW = new Date('2026-11-20T18:03:00.123Z');
const messages = messagesFor('en');
const german = messagesFor('de');
const SAMPLE_ORGANIZATION = { id: '019a9d5e-7c1a-7b3e-9c55-0c8f4a6b2d11', name: 'Example Inc.' };

/** A build with every field that a page can show. */
export const SAMPLE_BUILD: InstallBuild = {
  id: '019a9d5e-7c1a-7b3e-9c55-0c8f4a6b2d10',
  channelName: null,
  platform: 'ios',
  appName: 'Harbour',
  bundleId: 'com.example.harbour',
  version: '2.4.0',
  buildNumber: '318',
  notes:
    'The **tide table** now works offline: https://wiki.example.com/tides.\n\n• Open a harbour you have saved, then switch to flight mode.\n• Turn the device: nothing should jump.\n\nKnown: the widget still shows yesterday’s times.',
  sizeBytes: 48_213_004,
  uploadedAt: new Date('2026-11-17T09:12:44.000Z'),
  delivery: { kind: 'promoted', at: new Date('2026-11-17T10:02:00.000Z'), by: 'Anna Berg' },
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  signer: 'Tidewater Labs GmbH (7XK2QJ9R4T)',
  minimumOsVersion: '16.0',
  deviceFamilies: [],
  targetSdk: null,
  fileExtension: 'ipa',
  hasIcon: true,
  signing: 'ad_hoc',
  expiresAt: new Date('2027-09-30T00:00:00.000Z'),
  warnings: [],
  notInstallable: null,
};

const ANDROID: Partial<InstallBuild> = {
  platform: 'android',
  fileExtension: 'apk',
  minimumOsVersion: '8.0',
  signing: null,
  expiresAt: null,
};

const UNREGISTERED = [{ code: 'android_not_registered', message: 'For developers.' }];
const UNEXPORTED = [{ code: 'exported_missing', message: 'For developers.' }];

interface InstallState {
  readonly build?: Partial<InstallBuild>;
  readonly project?: string;
  readonly baseUrl?: string;
  readonly choice?: string;
  readonly page?: Partial<InstallPageInput>;
}

function install(name: string, userAgent: keyof typeof USER_AGENTS, state: InstallState = {}): PageScenario {
  const view = installPageView({
    builds: [{ ...SAMPLE_BUILD, ...state.build }],
    project: { name: state.project ?? 'Tidewater Labs' },
    brand: { name: 'Tidewater Harbours Inc.', logo: null, contact: null, privacyUrl: null, accent: null },
    addresses: addressesOfLink(state.baseUrl ?? 'https://get.example.com', LINK),
    device: chosenDevice(detectDevice(USER_AGENTS[userAgent]), state.choice),
    now: NOW,
    messages,
    ...state.page,
  });
  const navigation = {
    withLanguage: (path: string) => path,
    languages: [{ tag: 'de', name: 'Deutsch', href: '?lang=de' }],
  };
  return { name: `install-${name}`, userAgent, html: (renderer) => renderer.render(INSTALL_PAGE, view, navigation) };
}

const message = (name: string, view: MessagePageView): PageScenario => ({
  name,
  userAgent: 'iphone',
  html: (renderer) => renderer.render(MESSAGE_PAGE, view),
});

const failure = (name: string, errorCase: ErrorCase): PageScenario =>
  message(
    name,
    errorPage(new AppError(errorCase), {
      messages,
      requestId: '0193a6b2-5d0e-7c21-9a3f-2f7d1c6b8e10',
      retryPath: '/install/agi_token',
    }),
  );

let ids = 0;
const another = (build: Partial<InstallBuild>): InstallBuild => ({ ...SAMPLE_BUILD, id: `build-${ids++}`, ...build });
const WINDOWS: Partial<InstallBuild> = {
  platform: 'windows',
  fileExtension: 'msix',
  signing: null,
  expiresAt: null,
  minimumOsVersion: null,
  hasIcon: false,
};

/** A channel with several platforms and earlier releases. */
const CHANNEL: Partial<InstallPageInput> = {
  manyBuilds: true,
  channel: { name: 'Beta' },
  builds: [another({}), another({ ...ANDROID, version: '2.4.1', buildNumber: '319' }), another(WINDOWS)],
  older: ['2.3.1', '2.3.0', '2.2.0'].map((version, index) =>
    another({ version, buildNumber: null, uploadedAt: new Date(`2026-0${8 - index}-11T00:00:00Z`) }),
  ),
};
/** A tester with two channels and a build without a channel. */
const TESTER: Partial<InstallPageInput> = {
  manyBuilds: true,
  builds: [
    another({ channelName: 'Nightly', version: '2.5.0-nightly.7' }),
    another({ channelName: 'Beta' }),
    another({ ...ANDROID, version: '2.3.9' }),
  ],
  subscriptionPanel: { channelName: null, active: true, used: false, platforms: ['ios', 'android'] },
};
const ONE_CHANNEL: Partial<InstallPageInput> = {
  ...CHANNEL,
  subscriptionPanel: { channelName: 'Beta', active: true, used: false, platforms: ['ios', 'android'] },
};

const EXPIRING = [
  {
    code: 'profile_expires_soon',
    message: 'The provisioning profile expires in 9 days. After that the app will not start.',
  },
];
const DEBUG_SIGNED = [
  { code: 'debug_certificate', message: 'Signed with a debug certificate: updates from another machine will fail.' },
  { code: 'version_not_higher', message: 'The version is not higher than the last one. Uninstall that first.' },
];

/** Every state of the pages. The browser tests open each at several widths, in light and dark. */
export const PAGE_SCENARIOS: readonly PageScenario[] = [
  install('ios-on-iphone', 'iphone'),
  install('ios-on-iphone-warnings', 'iphone', { build: { warnings: EXPIRING, signing: 'enterprise' } }),
  install('ios-in-instagram', 'instagram'),
  install('ios-on-mac-or-ipad', 'mac'),
  install('ios-on-chosen-ipad', 'mac', { choice: 'ipad' }),
  install('ios-on-windows', 'windows', { build: { hasIcon: false } }),
  install('ios-on-android', 'android'),
  install('ios-insecure', 'iphone', { baseUrl: 'http://get.example.com' }),
  install('ios-localhost', 'windows', { baseUrl: 'http://localhost:3000' }),
  install('ios-blocked', 'iphone', {
    build: {
      notInstallable: {
        code: 'app_store_signing',
        message: 'It is signed for the App Store. Ask for a version signed for ad hoc or enterprise distribution.',
      },
    },
  }),
  install('android-on-android', 'android', { build: { ...ANDROID, warnings: DEBUG_SIGNED } }),
  install('android-too-old', 'firefoxOnAndroid', { build: { ...ANDROID, minimumOsVersion: '14' } }),
  install('android-too-new', 'firefoxOnAndroid', { build: { ...ANDROID, warnings: UNEXPORTED } }),
  install('android-unverified', 'android', { build: { ...ANDROID, warnings: UNREGISTERED } }),
  install('android-on-windows', 'windows', { build: ANDROID }),
  install('android-on-iphone', 'iphone', { build: ANDROID }),
  install('windows-on-windows', 'windows', {
    build: { platform: 'windows', fileExtension: 'msix', signing: null, expiresAt: null, minimumOsVersion: null },
  }),
  install('macos-on-windows', 'windows', {
    build: { platform: 'macos', fileExtension: 'dmg', signing: null, expiresAt: null },
  }),
  install('long-words', 'iphone', {
    project: 'Donaudampfschifffahrtsgesellschaft International Holdings',
    build: {
      appName: 'Elektrizitätswirtschaftsorganisationsgesetz',
      version: '2026.11.20-nightly+sha.0123456789abcdef0123456789abcdef',
      buildNumber: '20261120180300123456789',
      bundleId: 'com.example.averyveryveryverylongcompany.elektrizitaetswirtschaft.ios',
      notes: `${'unbroken'.repeat(30)}\n${'many words '.repeat(60)}`,
      hasIcon: false,
    },
  }),
  install('minimal', 'iphone', {
    build: {
      appName: null,
      bundleId: null,
      buildNumber: null,
      notes: null,
      minimumOsVersion: null,
      expiresAt: null,
      signing: 'unknown',
      hasIcon: false,
    },
  }),
  install('channel-on-iphone', 'iphone', { page: CHANNEL }),
  install('channel-on-windows', 'windows', { page: CHANNEL }),
  install('channel-on-mac-or-ipad', 'mac', { page: CHANNEL }),
  install('channel-of-phones-on-mac-or-ipad', 'mac', { page: { ...CHANNEL, builds: CHANNEL.builds!.slice(0, 2) } }),
  install('channel-of-phones-on-windows', 'windows', { page: { ...CHANNEL, builds: CHANNEL.builds!.slice(0, 2) } }),
  install('channel-without-mine', 'android', { page: { ...CHANNEL, builds: [CHANNEL.builds![0]!, another(WINDOWS)] } }),
  install('channel-empty', 'iphone', { page: { ...CHANNEL, builds: [], older: [] } }),
  install('channel-that-is-broken', 'android', {
    page: {
      ...CHANNEL,
      builds: [another({ ...ANDROID, notInstallable: { code: 'signature_broken', message: 'Broken.' } })],
      older: [another({ ...ANDROID, version: '2.3.1', buildNumber: '301' })],
    },
  }),
  install('channel-in-german', 'iphone', { page: { ...ONE_CHANNEL, messages: german } }),
  install('tester-on-iphone', 'iphone', { page: TESTER }),
  install('tester-declined', 'android', {
    page: { ...TESTER, subscriptionPanel: { channelName: null, active: false, used: false, platforms: [] } },
  }),
  install('tester-spent', 'android', {
    page: { ...ONE_CHANNEL, subscriptionPanel: { channelName: 'Beta', active: false, used: true, platforms: [] } },
  }),
  install('ios-in-german', 'iphone', { page: { messages: german }, build: { warnings: EXPIRING } }),
  install('android-in-german', 'android', {
    page: { messages: german },
    build: { ...ANDROID, warnings: DEBUG_SIGNED },
  }),
  install('android-unverified-in-german', 'android', {
    page: { messages: german },
    build: { ...ANDROID, warnings: UNREGISTERED },
  }),
  install('android-too-old-in-german', 'firefoxOnAndroid', {
    page: { messages: german },
    build: { ...ANDROID, minimumOsVersion: '14' },
  }),
  install('ios-on-windows-in-german', 'windows', { page: { messages: german } }),
  message('account-verified', accountNoticePage(messages, 'verified')),
  message('account-verified-in-german', accountNoticePage(german, 'verified')),
  message('invitation', invitationPages.accept(messages, 'agi_token').view as MessagePageView),
  message('invitation-in-german', invitationPages.accept(german, 'agi_token').view as MessagePageView),
  message('invitation-accepted', invitationPages.joined(messages, SAMPLE_ORGANIZATION).view as MessagePageView),
  message('account-already-verified', accountNoticePage(messages, 'alreadyVerified')),
  message('account-link-sent', accountNoticePage(messages, 'verifyLinkSent')),
  message(
    'account-link-invalid',
    accountLinkInvalidPage(messages, 'verifyLinkInvalid', { action: '/api/v1/developers/resend-verification' }),
  ),
  message(
    'account-reset',
    resetPasswordPage(messages, { action: '/api/v1/developers/reset_password', token: 'agr_token' }),
  ),
  message(
    'account-reset-refused',
    resetPasswordPage(messages, {
      action: '/api/v1/developers/reset_password',
      token: 'agr_token',
      problem: 'This password is too short.',
    }),
  ),
  message('account-reset-done', accountNoticePage(messages, 'resetDone')),
  failure('error-not-found', 'not_found'),
  message(
    'error-payment-in-german',
    errorPage(new AppError('spend_cap_exceeded'), { messages: german, requestId: 'r' }),
  ),
  failure('error-unauthorized', 'unauthorized'),
  failure('error-payment', 'spend_cap_exceeded'),
  failure('error-too-many', 'rate_limit_exceeded'),
  failure('error-unavailable', 'storage_backend_unavailable'),
  failure('error-internal', 'internal_error'),
];
