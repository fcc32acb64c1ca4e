import { type ControllerDocs } from '#infra/http/describe';

export const JWKS_DOCS = {
  keys: 'Use it to verify access JWTs in another service. A JWT names its key by `kid`; there is more than one key while keys are replaced. The response may be cached for five minutes. It does not tell whether a session has ended: only this service knows.',
} satisfies ControllerDocs;
