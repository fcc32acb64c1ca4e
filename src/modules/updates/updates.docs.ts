import { type ControllerDocs } from '#infra/http/describe';

export const UPDATE_CHECK_DOCS = {
  check:
    'For installed apps, at their start: is there a newer build? Send `version` and `build`; numbers are compared by value (`1.10` is newer than `1.9`). Android compares the build number first, as Android itself does; other platforms the version, then the build number. It costs nothing. Send `install_id` to be counted as running the build. Send `If-None-Match`: without a new promotion the response is `304`. A key that was rotated or revoked, and a key without a build, are `404`.',
} satisfies ControllerDocs;

const ELECTRON =
  'For electron-updater with `{provider: "generic", url: "{INSTALL_BASE_URL}/updates/{key}"}`. The version of the build must be a semantic version. The files are the artifact of the build and its attachments of the kind `update`, for all architectures; their addresses contain the version, so that the updater finds block maps. A key of another platform is `404`.';

export const CHANNEL_FEEDS_DOCS = {
  electron: `For electron-updater in apps with a prerelease version. electron-builder derives the channel from the version: \`1.2.3-beta.1\` requests \`beta.yml\`, \`beta-mac.yml\`, \`beta-linux.yml\` or \`beta-linux-arm64.yml\`. The response is that of the feed whose name begins with \`latest\`: the key alone decides which build it contains. ${ELECTRON}`,
} satisfies ControllerDocs;

export const FEEDS_DOCS = {
  appcast:
    'For Sparkle (`SUFeedURL`), WinSparkle and NetSparkle. It contains the current build: an attachment of the kind `update`, or else the artifact, and on macOS a second item for Apple silicon if there is an attachment for `arm64` (`sparkle:hardwareRequirements`, Sparkle 2.9). `sparkle:version` is the build number: upload builds of macOS with their `CFBundleVersion`. `sparkle:edSignature` is the signature that was stored for the build or sent with the attachment. A key of iOS or Android is `404`.',
  electronWindows: ELECTRON,
  electronMac: `${ELECTRON} On macOS it contains only \`.zip\` files: a build without one, such as a \`.dmg\` without an attachment, is \`404\` with the reason.`,
  electronLinux: ELECTRON,
  electronLinuxOf: `${ELECTRON} Only files for exactly this architecture are in it: without one it is \`404\`.`,
  squirrel:
    "For Electron's built-in updater on macOS: `autoUpdater.setFeedURL` with this address and the version of the app. `204` when the build is not newer. The file is a zip of the signed app: the artifact, or an attachment of the kind `update`; a build without one is `404` with the reason. Add `&arch=` with `process.arch` if there are files for several architectures. A key of another platform is `404`.",
  tauri:
    'For the updater of Tauri 2, with the endpoint `{INSTALL_BASE_URL}/updates/{key}/tauri/{{target}}/{{arch}}/{{current_version}}`. `204` when the build is not newer. Tauri verifies the signature of the file: a file without one is `404`, and so is a key of another platform. An attachment of the kind `update` for the architecture of the path comes first, then one for all architectures, then the artifact of the build.',
} satisfies ControllerDocs;

const SDKS =
  'For apps with the Distribute SDK of Visual Studio App Center, whose service has ended: set `{INSTALL_BASE_URL}/updates/{key}/appcenter/v0.1` with `Distribute.setApiUrl`, and its dialog works again. `app_secret` may be any text. Without a release that the SDK can install, the `404` has the additional field `code`, which keeps the SDK from forgetting its state.';

export const APP_CENTER_DOCS = {
  latest: SDKS,
  latestOfGroup: `The address of older SDKs. ${SDKS}`,
} satisfies ControllerDocs;

const QR_PNG =
  'A PNG of black and white pixels, for chats and mails that show no SVG. Each module of the code has the same number of pixels, and the rest of `size` is white.';

const REPEATED =
  'It can be repeated: a client address gets the same download URL until it has expired or is used up. A build is charged at most three times per key, client address and half hour; then the response is `429`, reason `link_downloads_reached`.';

export const UPDATE_PACKAGES_DOCS = {
  look: 'Use it to learn the size and type of the file before downloading it. It reserves nothing.',
  download: {
    description:
      'The address that checks and feeds name. It reserves the cost of one download and redirects to a download URL, which supports ranges; without enough credit it is `402`. Another build than the current one, and another name than that of its file, are `404` and cost nothing: updaters try names such as `.blockmap` first.',
    retry: REPEATED,
  },
} satisfies ControllerDocs;

export const UPDATE_FILES_DOCS = {
  look: 'Use it to learn the size and type of the file before downloading it. It reserves nothing.',
  download: {
    description:
      'The address that the feeds of electron-updater name. An artifact or an attachment of the kind `update` of the current build is redirected to a download URL, as by `GET /updates/{update_key}/builds/{build_id}/{file_name}`. So is a block map, also that of an earlier version of the same platform: the updater compares the two, and then downloads the ranges that differ. Other attachments are `404`.',
    retry: REPEATED,
  },
} satisfies ControllerDocs;

export const UPDATE_INSTALL_DOCS = {
  page: 'The `install_url` of checks, for people. It shows the current build of the key with the button for the device, and no other build. It costs nothing. A key that was rotated or revoked, and a key without a build, are `404`.',
  lookAtManifest: 'For installers that look before they download. It reserves nothing.',
  manifest: {
    description:
      'The address behind the button for iOS (`itms-services`). The manifest contains a download URL for the current build; without enough credit it is `402`. A build that cannot be installed over the air is `400 operation_not_allowed` with the reason.',
    retry: REPEATED,
  },
  icon: 'The icon of the app, for the page and for iOS. It costs nothing. A build without an icon is `404`.',
  qrCode: 'The address of the page as a QR code, for readers on a desktop. It costs nothing.',
  qrCodePng: `${QR_PNG} It costs nothing.`,
  lookAtPackage: 'Use it to learn the size and type of the package before downloading it. It reserves nothing.',
  package: {
    description:
      'The address behind the button for Android and for other platforms. It redirects to a download URL for the current build; without enough credit it is `402`.',
    retry: REPEATED,
  },
} satisfies ControllerDocs;

export const UPDATE_SIGNATURES_DOCS = {
  get: 'Use it to see whether the updaters of desktop apps can verify the build.',
  set: 'Use it in CI after an upload for macOS, Windows or Linux, when the updater of the app verifies signatures (Sparkle, Tauri). Sign the file yourself: the service holds no key, and checks no signature. Feeds contain it immediately. `null` deletes it.',
} satisfies ControllerDocs;

export const UPDATE_KEYS_DOCS = {
  list: 'Use it to find the key to put into an app. The keys are `null` for callers who may not download.',
  create:
    'Use it once for each channel and platform whose apps are to find updates. Without `channel_id` the key opens the newest build of the project, on every plan. There is one key per channel and platform: a second one is `409 already_exists`. A key is public, because every copy of the app contains it, and opens nothing but the current build.',
  get: 'Use it to read a key again, for example in a CI job that builds the app.',
  rotate: {
    description:
      'Use it when apps that were built until now must find no updates any longer. The old value is `404` immediately, also for apps that you want to reach: they have to be installed again.',
    retry:
      'Send an `Idempotency-Key`, and repeat the request with the same key after a timeout, a `429` or a `503`. Without a key a repetition replaces the value again.',
  },
  revoke:
    'Use it to end the updates of a channel and platform. The key is `404` immediately. A new key has another value.',
} satisfies ControllerDocs;

export const MIN_SUPPORTED_DOCS = {
  get: 'Use it to show which versions of the apps of a project are still supported.',
  change:
    'Use it when older apps must be updated, for example because a server no longer accepts them. The check of an app below the version says `mandatory`, as long as there is an update for it. Numbers are compared by value. On Android the version code counts.',
} satisfies ControllerDocs;
