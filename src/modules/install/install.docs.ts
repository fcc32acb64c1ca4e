import { type ControllerDocs } from '#infra/http/describe';

const SAME_PATHS =
  'Below `/install/{invite_token}` it means the build that the link shows first, below `/install/{invite_token}/builds/{build_id}` the named one.';

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
  lookAtPackage: `Use it to learn the size and type of the package before downloading it. It reserves nothing. ${SAME_PATHS}`,
  package: {
    description: `The address behind the button for Android and for other platforms. It reserves the cost of one download and redirects to a download URL; without enough credit it is \`402\`. ${SAME_PATHS}`,
    retry: REPEATED,
  },
} satisfies ControllerDocs;
