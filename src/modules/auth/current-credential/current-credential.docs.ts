import { type ControllerDocs } from '#infra/http/describe';

export const CURRENT_CREDENTIAL_DOCS = {
  find: 'Use it in scripts and CI, to find out which organization and project a token belongs to, what it may do and when it expires, before it is used for anything else. It needs no role and no scope: every valid credential may request what it is. The response never contains the credential itself.',
} satisfies ControllerDocs;
