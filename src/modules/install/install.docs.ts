import { type ControllerDocs } from '#infra/http/describe';

const SAME_PATHS =
  'Below `/install/{invite_token}` it means the build that the link shows first, below `/install/{invite_token}/builds/{build_id}` the named one.';

const QR_PNG =
  'A PNG of black and white pixels, for chats and mails that show no SVG. Each module of the code has the same number of pixels, and the rest of `size` is white.';

const REPEATED =
  'It can be repeated: a client address gets the same download URL until it has expired or is used up. A build is charged at most three times per link, client address and half hour; then the response is `429`, reason `link_downloads_reached`.';

/** The routes of an install link, for its first build and for each of its builds. */
export const INSTALL_DOCS = {
  page: 'For testers: the address that mails, QR codes and channels lead to. The page shows the builds of the link with the button for the device. It costs nothing. An unknown, revoked or expired link is `404`.',
  lookAtManifest: `For installers that look before they download. It reserves nothing. ${SAME_PATHS}`,
  manifest: {
    description: `The address behind the button for iOS (\`itms-services\`). The manifest contains a download URL, so the cost of one download is reserved; without enough credit it is \`402\`. A build that cannot be installed over the air is \`400 operation_not_allowed\` with the reason. ${SAME_PATHS}`,
    retry: REPEATED,
  },
  icon: `The icon of the app, for the page and for iOS. It costs nothing. A build without an icon is \`404\`. ${SAME_PATHS}`,
  qrCode: `The address of the page as a QR code, for readers on a desktop. It costs nothing. ${SAME_PATHS}`,
  qrCodePng: `${QR_PNG} It costs nothing. ${SAME_PATHS}`,
  lookAtPackage: `Use it to learn the size and type of the package before downloading it. It reserves nothing. ${SAME_PATHS}`,
  package: {
    description: `The address behind the button for Android and for other platforms. It reserves the cost of one download and redirects to a download URL; without enough credit it is \`402\`. ${SAME_PATHS}`,
    retry: REPEATED,
  },
} satisfies ControllerDocs;

export const LATEST_DOCS = {
  page: 'An address that stays the same for all builds: for a wiki, a chat or a QR code. It redirects to the page of the newest build of the platform that the link shows. The redirect costs nothing. Until there is one, it is `404`.',
  package:
    'For scripts that always want the newest package. It redirects to the package, which redirects to a download URL; follow both (`curl -L`). The redirect costs nothing, the download does. Until there is one, it is `404`.',
} satisfies ControllerDocs;

export const ASSETS_DOCS = {
  get: 'For the pages of this service. A name contains a hash of the content, so a browser may cache the file for a year. An unknown name is `404`.',
} satisfies ControllerDocs;

const ONCE = {
  retry:
    'A link makes one change. A repetition changes nothing: a browser gets a page that says so, JSON gets `409 already_exists`.',
};
const PERSONAL =
  'It needs the link of a mail that was sent to this tester; other links are `404`. A form gets a page, JSON gets `204`.';

export const INVITE_ACTIONS_DOCS = {
  confirm:
    'The target of the link in a mail, for browsers. It shows a page with a button that unsubscribes, because mail scanners open links.',
  subscribe: {
    description: `For testers. It subscribes to the channel of the link, so that each promotion is mailed. A link without a channel lets the tester test the project again, or names a channel that they left by \`channel_id\`. ${PERSONAL}`,
    ...ONCE,
  },
  unsubscribe: {
    description: `For testers, and for the one-click button of mail programs (RFC 8058). It ends the mails of the channel of the link, or of the channel in \`channel_id\`; without a channel it ends all mails of the project. Members of the organization cannot undo it, only the tester can: the page has a link for this. ${PERSONAL}`,
    ...ONCE,
  },
  decline: {
    description: `For testers who stop testing the project. All their subscriptions end, and they are not mailed again. Only they can undo it. ${PERSONAL}`,
    ...ONCE,
  },
} satisfies ControllerDocs;

export const MAIL_PLATFORMS_DOCS = {
  choose: {
    description:
      'For testers. It chooses the platforms whose releases they are mailed about; the default is all. Builds of other platforms stay on their page. It needs the link of a mail that was sent to this tester; other links are `404`. A form gets a page that can undo the change, JSON gets `204`.',
    retry: 'It can be repeated with the same link: each choice replaces the one before.',
  },
} satisfies ControllerDocs;

export const DEVICE_CAPTURE_DOCS = {
  show: 'For testers with an iPhone or iPad: builds that are signed for registered devices install on no other. The page says what is sent and why, and has the button that loads the profile; on a computer it shows a QR code. For the link of a mail it also lists the devices of the tester.',
  profile:
    'For the settings of an iPhone or iPad: a configuration profile (`Profile Service`) that makes the device post its id (UDID), model and system once. It contains a ticket that is valid for 15 minutes and one answer. It changes nothing on the device.',
  qrCode: 'The address of the page that registers a device, for readers on a desktop.',
  qrCodePng: QR_PNG,
  lookAtReceipt: 'For browsers that look before they open a page. It does not use the receipt.',
  receipt:
    'The page to which a device is redirected after its registration. It says which version the device can install, or that its tester will be mailed, and sets a cookie by which later pages recognize the device. A receipt is shown once; later the cookie shows it.',
} satisfies ControllerDocs;

export const OWN_DEVICES_DOCS = {
  rename: {
    description:
      'For testers: names one of their devices, for the lists of the team. A form gets a page, JSON gets `204`.',
    retry: 'It can be repeated with the same link.',
  },
  remove: {
    description: 'For testers: removes one of their devices with its id. A form gets a page, JSON gets `204`.',
    retry: 'A repetition is `404`: the device is gone.',
  },
} satisfies ControllerDocs;

const GRANTED =
  'When the link opens, the response is `303` to its page below a grant, `/install/{invite_token}/g/{grant}`, which works for half an hour, without cookies, and ends with a change of the rules. Each path of a link exists below the grant, too. A browser that did not open it gets the page again.';

export const LINK_GATE_DOCS = {
  unlock: {
    description: `For visitors of a link with the access \`password\`. A wrong password is \`404\`. After ten wrong attempts at the link or five of a client address within ten minutes, an attempt needs a captcha: without one it is \`429\` with \`details.captcha_required\`. ${GRANTED}`,
    retry: 'It can be repeated. Wrong passwords count.',
  },
  signIn: {
    description: `For testers at a link with the access \`sign_in\`. The first request has the address alone: a code is mailed if it is that of a tester of the project. The response does not tell whether it is. The second request also has the code, which is valid for ten minutes, five attempts and one use; a wrong one is \`404\`. A tester gets five codes an hour for a link. After too many wrong attempts it needs a captcha, as \`unlock\` does. ${GRANTED}`,
    retry: 'It can be repeated. Each request without a code mails another code, which replaces the one before.',
  },
  accept: {
    description: `For visitors of a link with terms. The acceptance is stored with the version of the terms, the time, and the tester, or a digest of the client address for an unknown visitor. A tester is asked once for each version. If the terms have changed since the page was shown, nothing is stored, and a browser gets the page with the new ones. ${GRANTED}`,
    retry: 'It can be repeated: the first acceptance is kept.',
  },
} satisfies ControllerDocs;

export const DEVICE_ANSWERS_DOCS = {
  receive: {
    description:
      'For the settings of an iPhone or iPad, which post here after the profile was installed. The body is a property list with `UDID`, `PRODUCT`, `VERSION` and the ticket as `CHALLENGE`, signed by the device (CMS); the signature must match the enclosed certificate, which may be of any issuer. The id is what the device states. A ticket that has expired or was used is `404`; nothing is stored then.',
    retry: 'A ticket registers one device. A repetition is `404`.',
  },
} satisfies ControllerDocs;
