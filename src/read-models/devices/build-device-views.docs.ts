import { type ControllerDocs } from '#infra/http/describe';

export const BUILD_DEVICES_DOCS = {
  get: 'Use it before you promote an iOS build that is signed for registered devices: it says which devices of testers its provisioning profile leaves out. Register those with Apple (`GET /devices/export`), renew the profile and build again. What devices are called and who uses them needs `MANAGE_TESTERS`; for other callers `known` is `null`.',
} satisfies ControllerDocs;
