import { type ControllerDocs } from '#infra/http/describe';

export const UPDATE_SIGNATURES_DOCS = {
  get: 'Use it to see whether the updaters of desktop apps can verify the build.',
  set: 'Use it in CI after an upload for macOS, Windows or Linux, when the updater of the app verifies signatures (Sparkle, Tauri). Sign the file yourself: the service holds no key, and checks no signature. Feeds contain it at once. `null` deletes it.',
} satisfies ControllerDocs;
