import { type ControllerDocs } from '#infra/http/describe';

const SDKS =
  'For apps with the Distribute SDK of Visual Studio App Center, whose service has ended: set `{INSTALL_BASE_URL}/updates/{key}/appcenter/v0.1` with `Distribute.setApiUrl`, and its dialog works again. `app_secret` may be any text. Without a release that the SDK can install, the `404` has the additional field `code`, which keeps the SDK from forgetting its state.';

export const APP_CENTER_DOCS = {
  latest: SDKS,
  latestOfGroup: `The address of older SDKs. ${SDKS}`,
} satisfies ControllerDocs;
