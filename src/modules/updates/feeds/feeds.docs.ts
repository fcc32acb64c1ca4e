import { type ControllerDocs } from '#infra/http/describe';

const ELECTRON =
  'For electron-updater with `{provider: "generic", url: "{INSTALL_BASE_URL}/updates/{key}"}`. The version of the build must be a semantic version. A key of another platform is `404`.';

export const FEEDS_DOCS = {
  appcast:
    'For Sparkle (`SUFeedURL`), WinSparkle and NetSparkle. It contains the current build. `sparkle:version` is the build number: upload builds of macOS with their `CFBundleVersion`. `sparkle:edSignature` is the stored signature of the build. A key of iOS or Android is `404`.',
  electronWindows: ELECTRON,
  electronMac: ELECTRON,
  electronLinux: ELECTRON,
  squirrel:
    "For Electron's built-in updater on macOS: `autoUpdater.setFeedURL` with this address and the version of the app. `204` when the build is not newer. The file of the build must be a zip of the signed app. A key of another platform is `404`.",
  tauri:
    'For the updater of Tauri 2, with the endpoint `{INSTALL_BASE_URL}/updates/{key}/tauri/{{target}}/{{arch}}/{{current_version}}`. `204` when the build is not newer. Tauri verifies the stored signature of the build: a build without one is `404`, and so is a key of another platform. Agate does not know architectures: all of them get the current build.',
} satisfies ControllerDocs;
