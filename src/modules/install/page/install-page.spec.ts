import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { type Device, type DeviceOs } from '#kernel/builds/device';
import { messagesFor } from '#infra/pages/messages/messages';
import { PageAssets } from '#infra/pages/page-assets';
import { PageRenderer } from '#infra/pages/rendering/page-renderer';
import { type InstallBuild } from './card/install-build';
import { INSTALL_PAGE, type InstallPageInput, installPageView } from './install-page.view';
import { addressesOfLink } from './link-addresses';

const messages = messagesFor('en');
const words = messages.install;
const renderer = new PageRenderer(new PageAssets());

const BUILD: InstallBuild = {
  id: '019a9d5e-7c1a-7b3e-9c55-0c8f4a6b2d10',
  channelName: null,
  platform: 'ios',
  appName: 'Harbour',
  bundleId: 'com.example.harbour',
  version: '2.4.0',
  buildNumber: '318',
  notes: 'One\nTwo',
  sizeBytes: 48_213_004,
  uploadedAt: new Date('2026-11-17T09:12:44Z'),
  delivery: { kind: 'uploaded', at: new Date('2026-11-17T09:12:44Z'), by: 'Anna Berg' },
  sha256: 'ab'.repeat(32),
  signer: 'Tidewater GmbH (TEAM)',
  minimumOsVersion: '16.0',
  deviceFamilies: [],
  targetSdk: null,
  fileExtension: 'ipa',
  hasIcon: true,
  signing: 'ad_hoc',
  expiresAt: new Date('2027-09-30T00:00:00Z'),
  warnings: [],
  notInstallable: null,
};
const APK: Partial<InstallBuild> = { platform: 'android', fileExtension: 'apk', signing: null, expiresAt: null };
const DMG: Partial<InstallBuild> = { platform: 'macos', fileExtension: 'dmg', signing: null, expiresAt: null };

const on = (os: DeviceOs, more: Partial<Device> = {}): Device => ({
  os,
  ambiguousMac: false,
  inAppBrowser: null,
  isPreviewBot: false,
  ...more,
});
const AMBIGUOUS = on('macos', { ambiguousMac: true });

function page(device: Device, build: Partial<InstallBuild> = {}, input: Partial<InstallPageInput> = {}) {
  const view = installPageView({
    builds: [{ ...BUILD, ...build }],
    project: { name: 'Tidewater' },
    brand: { name: 'Acme', logo: null, contact: null, privacyUrl: null, accent: null },
    addresses: addressesOfLink('https://get.example.com', 'agi_token'),
    device,
    now: new Date('2026-11-20T18:03:00Z'),
    messages,
    ...input,
  });
  return { view, card: view.leads[0]!.card, html: renderer.render(INSTALL_PAGE, view) };
}

const ITMS =
  'href="itms-services://?action=download-manifest&amp;url=https%3A%2F%2Fget.example.com%2Finstall%2Fagi_token%2Fmanifest.plist"';
const PACKAGE = 'href="/install/agi_token/package.';
const QR = 'src="/install/agi_token/qr.svg"';

describe('the actions of the install page', () => {
  it.each<[string, Device, Partial<InstallBuild>, { has: string[]; lacks: string[] }]>([
    ['iOS on an iPhone', on('ios'), {}, { has: [ITMS, words.notes.installIos], lacks: [PACKAGE, QR] }],
    ['iOS on an iPad', on('ipados'), {}, { has: [ITMS], lacks: [PACKAGE, QR] }],
    ['iOS on Windows', on('windows'), {}, { has: [QR, `${PACKAGE}ipa"`, '?device=ipad"'], lacks: [ITMS] }],
    ['iOS on a Mac that says so', on('macos'), {}, { has: [QR, '?device=ipad"'], lacks: [ITMS] }],
    ['iOS on an unknown device', on('unknown'), {}, { has: [QR, '?device=ipad"'], lacks: [ITMS] }],
    ['iOS on Android', on('android'), {}, { has: [words.elsewhere.title('iOS')], lacks: [ITMS, QR, PACKAGE] }],
    [
      'Android on Android',
      on('android'),
      APK,
      { has: [`${PACKAGE}apk"`, words.help.unknownSources.title], lacks: [QR] },
    ],
    ['Android on Linux', on('linux'), APK, { has: [QR, `${PACKAGE}apk"`, '?device=android"'], lacks: [] }],
    ['Android on an iPhone', on('ios'), APK, { has: [words.elsewhere.title('Android')], lacks: [PACKAGE, QR] }],
    ['macOS on a Mac', AMBIGUOUS, DMG, { has: [`${PACKAGE}dmg"`], lacks: [QR, 'data-touch-mac', 'This file is for'] }],
    ['macOS on Windows', on('windows'), DMG, { has: [`${PACKAGE}dmg"`, 'This file is for macOS.'], lacks: [QR] }],
    ['macOS on an iPhone', on('ios'), DMG, { has: [words.elsewhere.title('macOS')], lacks: [PACKAGE, QR] }],
  ])('fit %s', (_name, device, build, { has, lacks }) => {
    const { html } = page(device, build);
    for (const part of has) expect(html).toContain(part);
    for (const part of lacks) expect(html).not.toContain(part);
  });

  it('fit both a Mac and an iPad for an ambiguous user agent, with those of the iPad hidden', () => {
    const { html } = page(AMBIGUOUS);
    expect(html).toMatch(/<section class="action" data-touch-mac="no">/);
    expect(html).toMatch(/<section class="action" data-touch-mac="yes" hidden>/);
    for (const part of [QR, ITMS, '?device=ipad"']) expect(html).toContain(part);
    const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it.each([
    ['ios', 'Instagram', {}, 'Open this page in Safari', ITMS],
    ['android', 'Facebook', APK, 'Open this page in Chrome', PACKAGE],
  ] as const)('say, on %s inside %s, which browser to use', (os, inAppBrowser, build, title, second) => {
    const { card, html } = page(on(os, { inAppBrowser }), build);
    expect(html).toContain(title);
    expect(html).toContain(inAppBrowser);
    expect(html).toContain('value="https://get.example.com/install/agi_token" readonly');
    expect(html).toContain(second);
    expect(card.variants[0]?.primary).toBeUndefined();
  });

  it('do not name an unknown app', () => {
    expect(page(on('ios', { inAppBrowser: '?' })).html).toContain(words.inApp.unnamed);
  });

  it.each(['ios', 'ipados', 'windows'] as const)('say, on %s, why there is no button over plain http', (os) => {
    const { html } = page(on(os), {}, { addresses: addressesOfLink('http://get.example.com', 'agi_token') });
    expect(html).toContain(words.insecure.title);
    expect(html).not.toContain('itms-services');
  });

  it('include the button on localhost, and say that phones cannot reach it', () => {
    const local = { addresses: addressesOfLink('http://localhost:3000', 'agi_token') };
    expect(page(on('ios'), {}, local).html).toContain('itms-services://');
    expect(page(on('windows'), {}, local).html).toContain('INSTALL_BASE_URL');
    expect(page(on('windows')).html).not.toContain('INSTALL_BASE_URL');
  });

  it.each(['ios', 'ipados', 'android'] as const)(
    'contain the reason instead of a button on %s for a build that cannot be installed',
    (os) => {
      const notInstallable = { code: 'a_new_reason', message: 'It is signed for the App Store.' };
      const { html } = page(on(os), { notInstallable });
      expect(html).toContain('It is signed for the App Store.');
      for (const part of ['itms-services', PACKAGE, QR, words.help.unable.title]) expect(html).not.toContain(part);
    },
  );

  it('let a computer download the file of a build that cannot be installed', () => {
    const { html } = page(on('macos'), { notInstallable: { code: 'aab', message: 'Store format.' } });
    expect(html).toContain(words.actions.downloadFile);
    expect(html).not.toContain(QR);
  });
});

describe('the card of the install page', () => {
  it('shows app, project, version, platform, size and date', () => {
    const { html } = page(on('ios'));
    for (const part of [
      'Harbour',
      'Tidewater',
      'Version 2.4.0 (318)',
      '>iOS<',
      '48.2 MB',
      '3 days ago',
      '17 November 2026, 09:12 UTC',
    ]) {
      expect(html).toContain(part);
    }
    for (const part of ['iOS 16.0 or later', '30 September 2027<', 'com.example.harbour', 'One<br>Two']) {
      expect(html).toContain(part);
    }
    expect(html).toContain('src="/install/agi_token/icon.png" alt="Icon of Harbour"');
  });

  it('renders without the optional fields', () => {
    const { card, html } = page(on('ios'), {
      appName: null,
      bundleId: null,
      buildNumber: null,
      notes: '  \n',
      minimumOsVersion: null,
      expiresAt: null,
      signing: null,
      signer: null,
      delivery: { ...BUILD.delivery, by: null },
      hasIcon: false,
    });
    expect(card).toMatchObject({ name: 'Tidewater', eyebrow: null, versionLine: 'Version 2.4.0', notes: [] });
    expect(html).toContain('<svg class="app-icon shade-');
    expect(html).toContain('>T</text>');
    expect(html).not.toMatch(/null|undefined|NaN|Invalid/);
  });

  // red when: the page does not say whom the app comes from
  it('names the organization, and on demand who sent the build and when, its signer and its checksum', () => {
    const { card, html } = page(on('ios'), { delivery: { ...BUILD.delivery, kind: 'promoted' } });
    expect(card.trust).toEqual({
      line: 'Acme sends you this app',
      facts: [
        { name: 'Organization', value: 'Acme' },
        { name: 'Released', value: '17 November 2026, 09:12 UTC, by Anna Berg' },
        { name: 'Signed by', value: 'Tidewater GmbH (TEAM)' },
        { name: 'Checksum (SHA-256)', value: BUILD.sha256 },
      ],
    });
    expect(html).toContain('<details class="trust">');
    expect(html).toContain('content="A test version for iOS, shared by Acme."');
  });

  it('shows the marks of notes, with links that tell the other site nothing', () => {
    const { html } = page(on('ios'), { notes: 'Now **faster**: https://x.example/7.\n\n- One\n- Two' });
    expect(html).toContain(
      '<p>Now <strong>faster</strong>: <a href="https://x.example/7" rel="nofollow noopener noreferrer">',
    );
    expect(html).toContain('<ul><li>One</li><li>Two</li></ul>');
  });

  it('does not repeat a build number that equals the version', () => {
    expect(page(on('ios'), { version: '7', buildNumber: '7' }).card.versionLine).toBe('Version 7');
  });

  it.each(['', '!!!', '   '])('draws a placeholder icon for the project name %j', (name) => {
    expect(page(on('ios'), { appName: '', hasIcon: false }, { project: { name } }).html).toContain('>·</text>');
  });

  it('lists warnings with their codes, translated when there is a translation', () => {
    const warnings = [
      { code: 'debug_certificate', message: 'For developers.' },
      { code: 'constructor', message: 'New.' },
    ];
    const { html } = page(on('ios'), { warnings });
    expect(html).toContain(`<li data-code="debug_certificate">${words.warnings.debug_certificate}</li>`);
    expect(html).toContain('<li data-code="constructor">New.</li>');
  });

  it('does not repeat as a warning the reason shown instead of the button', () => {
    const tvos = { code: 'tvos', message: 'For developers.' };
    const { html } = page(on('ios'), { warnings: [tvos], notInstallable: tvos });
    expect(html.split(words.warnings.tvos)).toHaveLength(2);
    expect(html).not.toContain('data-code="tvos"');
  });

  // red when: a new warning has no text for testers
  it('has a text for every warning that a build can have', () => {
    const folder = join(__dirname, '../../../modules/builds/catalogue/warnings');
    const code = readdirSync(folder)
      .filter((file) => !file.endsWith('.spec.ts'))
      .map((file) => readFileSync(join(folder, file), 'utf8'))
      .join('');
    const named = /(?:blocking|advice|Finding|fromLevel)\)?\(\s*(?:\w+, ){0,2}'(\w+)'|code: '(\w+_\w+)'/g;
    const codes = [...code.matchAll(named)].map(([, a, b]) => a ?? b);
    const expires = ['profile', 'certificate', 'nested_profile', 'nested_certificate'];
    const expiring = expires.flatMap((what) => [`${what}_expired`, `${what}_expires_soon`]);
    const found = codes.filter((each) => !expires.includes(each ?? ''));
    expect([...new Set([...found, ...expiring])].sort()).toEqual(Object.keys(words.warnings).sort());
  });
});

describe('the help of the install page', () => {
  const topics = (device: Device, build: Partial<InstallBuild> = {}) =>
    page(device, build).card.help.map((topic) => topic.title);
  const { unable, trust, developerMode, unknownSources, apkFails } = words.help;

  it.each([
    ['ad_hoc', [unable.title, developerMode.title]],
    ['development', [unable.title, developerMode.title]],
    ['enterprise', [unable.title, trust.title]],
    ['unknown', [unable.title, trust.title, developerMode.title]],
    [null, [unable.title, trust.title, developerMode.title]],
  ] as const)('has the topics for %s signing', (signing, expected) => {
    expect(topics(on('ios'), { signing })).toEqual(expected);
  });

  it('lists the most likely cause first', () => {
    expect(page(on('ios')).card.help[0]?.items).toEqual([
      unable.notRegistered,
      unable.signature,
      unable.tooOldKnown('16.0'),
      unable.storage,
      unable.cellular,
      unable.broken,
    ]);
  });

  it('does not mention device registration for an enterprise app', () => {
    expect(page(on('ios'), { signing: 'enterprise' }).card.help[0]?.items).not.toContain(unable.notRegistered);
  });

  it('fits the platform of the build, and is empty on another platform', () => {
    expect(topics(on('android'), APK)).toEqual([unknownSources.title, apkFails.title]);
    expect(topics(on('windows'), DMG)).toEqual([]);
    expect(topics(on('android'))).toEqual([]);
    expect(topics(on('ios'), APK)).toEqual([]);
  });
});

describe('hostile input of the install page', () => {
  const STATES: readonly (readonly [Device, Partial<InstallBuild>])[] = [
    [on('ios'), {}],
    [AMBIGUOUS, { hasIcon: false }],
    [on('ios', { inAppBrowser: '"><script>' }), {}],
    [on('android'), APK],
  ];

  it('stays text in every field', () => {
    const hostile = fc.oneof(
      fc.constantFrom(
        '<script>alert(1)</script>',
        '"><img src=x onerror=alert(1)>',
        "' onmouseover='alert(1)",
        'javascript:alert(1)',
        '</title><svg onload=alert(1)>',
        '{{constructor}} <%= it %> ${1}',
      ),
      fc.string({ unit: 'binary' }),
    );
    const texts = fc.record({
      appName: hostile,
      bundleId: hostile,
      version: hostile,
      buildNumber: hostile,
      notes: hostile,
      minimumOsVersion: hostile,
      fileExtension: hostile.map((text) => text.toWellFormed()),
    });
    // Notes contain the elements of their marks, and no others.
    const notesOf = ({ html }: { html: string }) => /<div class="notes"[^>]*>([^]*?)<\/div>/.exec(html)?.[1] ?? '';
    const skeleton = (shown: { html: string }) =>
      shown.html
        .replace(notesOf(shown), '')
        .replace(/<bdi>[^<]*<\/bdi>/g, '')
        .match(/<[a-z!/][^\s>]*/g);
    fc.assert(
      fc.property(texts, hostile, hostile, fc.nat(STATES.length - 1), (build, name, code, state) => {
        const [device, base] = STATES[state]!;
        const plain = page(device, { ...base, notes: 'n', warnings: [{ code: 'c', message: 'm' }] });
        const warnings = [{ code, message: code }];
        const notes = `n${build.notes}`;
        const hostilePage = page(
          device,
          { ...base, ...build, ...filled(build), notes, warnings },
          { project: { name: `${name}!` } },
        );
        // The elements equal those of a page with harmless texts, so no field became markup.
        expect(skeleton(hostilePage)).toEqual(skeleton(plain));
        expect(
          notesOf(hostilePage).replace(/<(\/?(p|ul|li|strong|a)|br)( href="https?:[^"<>]*" rel="[a-z ]*")?>/g, ''),
        ).not.toMatch(/[<>]/);
        expectStrict(hostilePage.html);
      }),
      { numRuns: 100 },
    );
  });

  /** Makes every text non-empty, so that the page has the same parts. */
  const filled = (build: { appName: string; version: string; buildNumber: string; bundleId: string }) => ({
    appName: `a${build.appName}`,
    bundleId: `b${build.bundleId}`,
    buildNumber: `n${build.buildNumber}`,
    version: `v${build.version}`,
    minimumOsVersion: '1',
  });

  it('violates the content security policy in no state', () => {
    for (const [device, build] of STATES) expectStrict(page(device, build).html);
  });
});

/** Expects no inline script, style or handler, and no resource of another origin. */
function expectStrict(html: string): void {
  const broken = (html.match(/<[a-z][^>]*>/gi) ?? []).filter(
    (tag) =>
      /\s(style|on\w+|srcdoc)\b/i.test(tag.replace(/="[^"]*"/g, '')) ||
      /^<(style|iframe|object|embed|base)\b/i.test(tag) ||
      /\s(src|action)="(?!\/)/i.test(tag) ||
      /\shref="(?!\/|itms-services:)/i.test(tag),
  );
  expect(broken).toEqual([]);
  expect(html.match(/<script\b[^>]*>[^<]*/g) ?? []).toEqual([
    expect.stringMatching(/^<script src="\/assets\/page\.[0-9a-f]{16}\.js" defer>$/),
  ]);
}

describe('the answer of the install page for the iPhone that opened it', () => {
  const refusals = words.refusals;

  // red when: the page offers the button without a word about the system
  it.each<[string, Device, Partial<InstallBuild>, string]>([
    ['needs a later iOS', on('ios', { osVersion: '15.8' }), {}, refusals.iosTooOld.title('16.0')],
    ['needs a later iPadOS', on('ipados', { osVersion: '12.5.7' }), {}, refusals.iosTooOld.title('16.0')],
    ['is for iPad', on('ios'), { deviceFamilies: ['ipad'] }, refusals.ipadOnly.title],
  ])('says that the build %s, and offers the installation second', (_, device, build, title) => {
    const [action] = page(device, build).card.variants;
    expect(action?.message).toMatchObject({ tone: 'problem', title });
    expect(action?.primary).toBeUndefined();
    expect(action?.secondary).toEqual([
      { href: expect.stringContaining('itms-services://'), label: words.actions.tryAnyway },
    ]);
  });

  it.each<[string, Device, Partial<InstallBuild>]>([
    ['a device with the required system', on('ios', { osVersion: '16.0' }), {}],
    ['a device that does not name its system', on('ios'), {}],
    ['an iPad, whose browser says Macintosh', on('ipados'), { deviceFamilies: ['iphone'] }],
  ])('offers the button to %s', (_, device, build) => {
    const [action] = page(device, build).card.variants;
    expect(action?.primary?.label).toBe(words.actions.installIos);
    expect(action?.message).toBeUndefined();
  });

  // red when: the page offers the button to a device that the profile of the build does not name
  it('says that the build leaves out the registered device, and offers the installation second', () => {
    const knownDevice = { includedIn: new Set<string>(), isMailed: true };
    const { card, view, html } = page(on('ios'), {}, { knownDevice });
    const [action] = card.variants;
    expect(action).toMatchObject({ message: { tone: 'problem', title: messages.devices.answer.missing.title } });
    expect(action).not.toHaveProperty('primary');
    expect(action?.secondary).toEqual([expect.objectContaining({ label: words.actions.tryAnyway })]);
    expect(view.leads[0]?.deviceInclusion).toBeNull();
    expect(html.split('data-device="missing"')).toHaveLength(2);
  });

  it('says both that the system is too old and that the build leaves out the device', () => {
    const knownDevice = { includedIn: new Set<string>(), isMailed: true };
    const { html } = page(on('ios', { osVersion: '15.8' }), {}, { knownDevice });
    expect(html).toContain(refusals.iosTooOld.title('16.0'));
    expect(html).toContain('data-device="missing"');
  });

  it('shows how to trust the developer of an enterprise build, with the steps of the system of the device', () => {
    const steps = words.help.trust.steps;
    const enterprise = { signing: 'enterprise' } as const;
    const of = (osVersion?: string) =>
      page(on('ios', osVersion === undefined ? {} : { osVersion }), enterprise).card.variants[0]?.next;
    expect(of('18.1')).toEqual({ title: words.next.trust, steps });
    expect(of()).toEqual({ title: words.next.trust, steps });
    expect(of('17.4')).toEqual({ title: words.next.trust, steps: steps.slice(0, 2) });
    expect(page(on('ios'), enterprise).html).toContain('VPN &amp; Device Management');
  });

  it('shows how to switch on the Developer Mode for a development build, on systems that have it', () => {
    const development = { signing: 'development', minimumOsVersion: null } as const;
    expect(page(on('ios'), development).card.variants[0]?.next).toEqual({
      title: words.next.developerMode,
      steps: words.help.developerMode.steps,
    });
    const old = page(on('ios', { osVersion: '15.8' }), development).card;
    expect(old.variants[0]?.next).toBeUndefined();
    expect(old.help.map(({ title }) => title)).not.toContain(words.help.developerMode.title);
    expect(page(on('ios')).card.variants[0]?.next).toBeUndefined();
  });
});

describe('the answer of the install page for the Android device that opened it', () => {
  const { refusals, warnings, help } = words;
  const exported = { code: 'exported_missing', message: 'x' };

  // red when: the page offers the button without a word about the system
  it.each<[string, string, Partial<InstallBuild>, { title: string; text: string }]>([
    [
      'needs a later Android',
      '11',
      { minimumOsVersion: '12' },
      { title: refusals.androidTooOld.title('12'), text: refusals.androidTooOld.text('11') },
    ],
    [
      'is refused by later systems',
      '12',
      { minimumOsVersion: null, warnings: [exported] },
      { title: refusals.androidTooNew.title('12'), text: warnings.exported_missing },
    ],
  ])('says that the build %s, and offers the download second', (_, osVersion, build, message) => {
    const [action] = page(on('android', { osVersion }), { ...APK, ...build }).card.variants;
    expect(action?.message).toEqual({ tone: 'problem', ...message });
    expect(action?.primary).toBeUndefined();
    expect(action?.secondary).toEqual([{ href: '/install/agi_token/package.apk', label: words.actions.tryAnyway }]);
  });

  // red when: the reason names a later Android than the device has
  it('says that Android 14 refuses a very low target level', () => {
    const build = {
      ...APK,
      minimumOsVersion: null,
      targetSdk: 22,
      warnings: [{ code: 'target_sdk_too_low', message: 'x' }],
    };
    const message = page(on('android', { osVersion: '14' }), build).card.variants[0]?.message;
    expect(message).toMatchObject({ title: refusals.androidTooNew.title('14') });
    expect(message?.text).not.toContain('15');
  });

  // red when: the reason is repeated below the message
  it('does not repeat the reason as a warning', () => {
    const build = { ...APK, minimumOsVersion: null, warnings: [exported] };
    expect(page(on('android', { osVersion: '12' }), build).card.warnings).toEqual([]);
    expect(page(on('android', { osVersion: '11' }), build).card.warnings).toHaveLength(1);
  });

  it('offers the button to a device that does not name its system', () => {
    const build = { ...APK, minimumOsVersion: '12', warnings: [exported] };
    expect(page(on('android'), build).card.variants[0]?.primary?.label).toBe(words.actions.downloadApk);
  });

  it('shows the menu for unknown apps of the system of the device', () => {
    const { fromAndroid8, beforeAndroid8, openAgain } = help.unknownSources;
    const steps = (osVersion?: string) => {
      const device = on('android', osVersion === undefined ? {} : { osVersion });
      return page(device, { ...APK, minimumOsVersion: null }).card.help[0]?.items;
    };
    expect(steps()).toEqual([fromAndroid8, beforeAndroid8, openAgain]);
    expect(steps('14')).toEqual([fromAndroid8, openAgain]);
    expect(steps('7.1')).toEqual([beforeAndroid8, openAgain]);
  });
});
