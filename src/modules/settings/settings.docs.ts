import { type ControllerDocs } from '#infra/http/describe';

export const SETTINGS_DOCS = {
  find: 'Use it before a sign-up, an upload or a change of plan, to know what this service requires, allows and charges. It needs no credential, is the same for every caller, and may be cached for a minute. Settings change only when the service is restarted.',
} satisfies ControllerDocs;
