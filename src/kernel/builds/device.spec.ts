import { chosenDevice, detectDevice, type Device, deviceFamilyOf } from './device';

type Expected = Partial<Device> & Pick<Device, 'os'>;

const APPLE = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
const IPHONE = `Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) ${APPLE}`;
const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)';
const BLINK = 'AppleWebKit/537.36 (KHTML, like Gecko)';

const AGENTS: readonly (readonly [string, string, Expected])[] = [
  ['Safari on iPhone', `${IPHONE} Version/26.0 Mobile/15E148 Safari/604.1`, { os: 'ios' }],
  ['Chrome on iPhone', `${IPHONE} CriOS/140.0.7339.39 Mobile/15E148 Safari/604.1`, { os: 'ios' }],
  ['Firefox on iPhone', `${IPHONE} FxiOS/142.0 Mobile/15E148 Safari/605.1.15`, { os: 'ios' }],
  [
    'iPod',
    `Mozilla/5.0 (iPod touch; CPU iPhone OS 12_5 like Mac OS X) ${APPLE} Version/12.1 Mobile/15E148 Safari/604.1`,
    { os: 'ios' },
  ],
  [
    'an old iPad',
    `Mozilla/5.0 (iPad; CPU OS 12_5_7 like Mac OS X) ${APPLE} Version/12.1.2 Mobile/15E148 Safari/604.1`,
    { os: 'ipados' },
  ],
  [
    'Chrome on iPad, mobile site',
    `Mozilla/5.0 (iPad; CPU OS 18_6 like Mac OS X) ${APPLE} CriOS/140.0.0.0 Mobile/15E148 Safari/604.1`,
    { os: 'ipados' },
  ],
  ['Safari on iPad or Mac', `${MAC} ${APPLE} Version/26.0 Safari/605.1.15`, { os: 'macos', ambiguousMac: true }],
  ['Chrome on Mac over http', `${MAC} ${BLINK} Chrome/140.0.0.0 Safari/537.36`, { os: 'macos', ambiguousMac: true }],
  [
    'Firefox on Mac',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:142.0) Gecko/20100101 Firefox/142.0',
    { os: 'macos', ambiguousMac: true },
  ],
  [
    'Chrome on Android',
    `Mozilla/5.0 (Linux; Android 10; K) ${BLINK} Chrome/140.0.0.0 Mobile Safari/537.36`,
    { os: 'android' },
  ],
  [
    'Samsung Internet',
    `Mozilla/5.0 (Linux; Android 10; K) ${BLINK} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`,
    { os: 'android' },
  ],
  ['Firefox on Android', 'Mozilla/5.0 (Android 15; Mobile; rv:142.0) Gecko/142.0 Firefox/142.0', { os: 'android' }],
  [
    'an Android tablet',
    `Mozilla/5.0 (Linux; Android 13; SM-X906C) ${BLINK} Chrome/120.0.0.0 Safari/537.36`,
    { os: 'android' },
  ],
  [
    'Edge on Windows',
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${BLINK} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0`,
    { os: 'windows' },
  ],
  [
    'a Windows Phone that says Android and iPhone',
    `Mozilla/5.0 (Windows Phone 10.0; Android 6.0.1; Microsoft; Lumia 950) ${BLINK} Chrome/52.0 Mobile Safari/537.36 Edge/15.15063 like iPhone`,
    { os: 'windows' },
  ],
  ['Firefox on Linux', 'Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0', { os: 'linux' }],
  ['ChromeOS', `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${BLINK} Chrome/140.0.0.0 Safari/537.36`, { os: 'linux' }],
  [
    'iOS installer',
    'com.apple.appstored/1.0 iOS/18.0 model/iPhone15,2 hwp/t8120 build/23D127 (6; dt:282) AMS/1',
    { os: 'ios' },
  ],
  [
    'iPadOS installer',
    'com.apple.appstored/1.0 iOS/18.0 model/iPad14,3 hwp/t8112 build/22A3354 (6; dt:267) AMS/1',
    { os: 'ipados' },
  ],
  [
    'Instagram',
    `${IPHONE} Mobile/22G86 Instagram 390.0.0.28.85 (iPhone15,2; iOS 18_6; en_US; scale=3.00)`,
    { os: 'ios', inAppBrowser: 'Instagram' },
  ],
  [
    'Facebook on iPhone',
    `${IPHONE} Mobile/22G86 [FBAN/FBIOS;FBAV/520.0.0.38.101;FBBV/756351453;FBDV/iPhone15,2;FBMD/iPhone]`,
    { os: 'ios', inAppBrowser: 'Facebook' },
  ],
  [
    'Facebook on Android',
    `Mozilla/5.0 (Linux; Android 14; Pixel 8 Build/UQ1A; wv) ${BLINK} Version/4.0 Chrome/140.0.0.0 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/520.0.0.43.99;]`,
    { os: 'android', inAppBrowser: 'Facebook' },
  ],
  [
    'Messenger',
    `${IPHONE} Mobile/22G86 [FBAN/MessengerForiOS;FBAV/470.0.0.35.109;]`,
    { os: 'ios', inAppBrowser: 'Messenger' },
  ],
  ['LINE', `${IPHONE} Mobile/15E148 Safari Line/15.12.0`, { os: 'ios', inAppBrowser: 'LINE' }],
  [
    'WeChat',
    `${IPHONE} Mobile/22G86 MicroMessenger/8.0.60(0x18003c2d) NetType/WIFI Language/zh_CN`,
    { os: 'ios', inAppBrowser: 'WeChat' },
  ],
  ['LinkedIn', `${IPHONE} Mobile/22G86 [LinkedInApp]/9.31.1`, { os: 'ios', inAppBrowser: 'LinkedIn' }],
  [
    'TikTok',
    `${IPHONE} Mobile/22G86 musical_ly_41.1.0 JsSdk/2.0 BytedanceWebview/d8a21c6`,
    { os: 'ios', inAppBrowser: 'TikTok' },
  ],
  ['X on iPhone', `${IPHONE} Mobile/22G86 Twitter for iPhone/11.12`, { os: 'ios', inAppBrowser: 'X' }],
  ['Google app', `${IPHONE} GSA/383.0.797833943 Mobile/15E148 Safari/604.1`, { os: 'ios', inAppBrowser: 'Google' }],
  [
    'Slack on Android',
    `Mozilla/5.0 (Linux; Android 14; Pixel 8; wv) ${BLINK} Version/4.0 Chrome/140.0.0.0 Mobile Safari/537.36 Slack/25.10`,
    { os: 'android', inAppBrowser: 'Slack' },
  ],
  ['Teams on iPhone', `${IPHONE} Mobile/15E148 TeamsMobile-iOS/7.1`, { os: 'ios', inAppBrowser: 'Teams' }],
  ['the WebView of a mail program', `${IPHONE} Mobile/22G86 `, { os: 'ios', inAppBrowser: '?' }],
  ['a nameless WKWebView', `${IPHONE} Mobile/15E148`, { os: 'ios', inAppBrowser: '?' }],
  [
    'a nameless Android WebView',
    `Mozilla/5.0 (Linux; Android 14; SM-S911B Build/UP1A; wv) ${BLINK} Version/4.0 Chrome/140.0.0.0 Mobile Safari/537.36`,
    { os: 'android', inAppBrowser: '?' },
  ],
  ['Slack', 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)', { os: 'unknown', isPreviewBot: true }],
  ['WhatsApp', 'WhatsApp/2.23.20.0 A', { os: 'unknown', isPreviewBot: true }],
  ['Telegram', 'TelegramBot (like TwitterBot)', { os: 'unknown', isPreviewBot: true }],
  [
    'Facebook preview',
    'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
    { os: 'unknown', isPreviewBot: true },
  ],
  ['Twitter preview', 'Twitterbot/1.0', { os: 'unknown', isPreviewBot: true }],
  [
    'Pinterest preview',
    'Mozilla/5.0 (compatible; Pinterestbot/1.0; +http://www.pinterest.com/bot.html)',
    { os: 'unknown', isPreviewBot: true },
  ],
  ['Teams', 'Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5', { os: 'windows', isPreviewBot: true }],
  [
    'iMessage preview, which says Macintosh',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko) Version/9.0.1 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0',
    { os: 'macos', isPreviewBot: true },
  ],
  ['nothing', '', { os: 'unknown' }],
  ['noise', '\u0000<script>constructor __proto__', { os: 'unknown' }],
];

describe('detectDevice', () => {
  it.each(AGENTS)('recognizes %s', (_name, userAgent, expected) => {
    const { osVersion: _, ...device } = detectDevice(userAgent);
    expect(device).toEqual({
      ambiguousMac: false,
      inAppBrowser: null,
      isPreviewBot: false,
      ...expected,
    });
  });

  it('returns an unknown device without a user agent', () => {
    expect(detectDevice(undefined)).toEqual({
      os: 'unknown',
      ambiguousMac: false,
      inAppBrowser: null,
      isPreviewBot: false,
    });
  });

  it('takes a device with the macOS hint for a Mac, not for an iPad', () => {
    const chrome = `${MAC} ${BLINK} Chrome/140.0.0.0 Safari/537.36`;
    expect(detectDevice(chrome, { platform: '"macOS"' })).toMatchObject({ os: 'macos', ambiguousMac: false });
  });

  it('prefers a known platform hint to the user agent and ignores an unknown hint', () => {
    const desktopSite = `Mozilla/5.0 (X11; Linux x86_64) ${BLINK} Chrome/140.0.0.0 Safari/537.36`;
    expect(detectDevice(desktopSite, { platform: '"Android"' }).os).toBe('android');
    expect(detectDevice(desktopSite, { platform: '"constructor"' }).os).toBe('linux');
  });

  it('takes little time for a very long header', () => {
    expect(detectDevice('a; wv '.repeat(100_000)).os).toBe('unknown');
  });
});

describe('deviceFamilyOf', () => {
  it.each([
    [`${IPHONE} Version/26.0 Mobile/15E148 Safari/604.1`, 'iphone'],
    ['com.apple.appstored/1.0 iOS/18.0 model/iPad14,3 hwp/t8112', 'ipad'],
    [`Mozilla/5.0 (Linux; Android 10; K) ${BLINK} Chrome/140.0.0.0 Mobile Safari/537.36`, 'android'],
    [`${MAC} ${APPLE} Version/26.0 Safari/605.1.15`, 'mac'],
    ['Mozilla/5.0 (Windows NT 10.0; Win64; x64)', 'windows'],
    ['Mozilla/5.0 (X11; Linux x86_64)', 'linux'],
    ['curl/8.5.0', 'other'],
    [undefined, 'other'],
  ])('maps %s to %s', (userAgent, family) => {
    expect(deviceFamilyOf(userAgent)).toBe(family);
  });
});

describe('chosenDevice', () => {
  const mac = detectDevice(`${MAC} ${APPLE} Version/26.0 Safari/605.1.15`);

  it('replaces the detected device by the choice', () => {
    expect(chosenDevice(mac, 'ipad')).toEqual({ ...mac, os: 'ipados', ambiguousMac: false });
    expect(chosenDevice(mac, 'iphone').os).toBe('ios');
    expect(chosenDevice(mac, 'android').os).toBe('android');
  });

  it.each([undefined, '', 'toaster', 'constructor', ['ipad'], { toString: () => 'ipad' }])(
    'ignores the choice %p',
    (choice) => {
      expect(chosenDevice(mac, choice)).toBe(mac);
    },
  );
});
