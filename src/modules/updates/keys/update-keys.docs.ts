import { type ControllerDocs } from '#infra/http/describe';

export const UPDATE_KEYS_DOCS = {
  list: 'Use it to find the key to put into an app. The keys are `null` for callers who may not download.',
  create:
    'Use it once for each channel and platform whose apps are to find updates. Without `channel_id` the key opens the newest build of the project, on every plan. There is one key per channel and platform: a second one is `409 already_exists`. A key is public, because every copy of the app contains it, and opens nothing but the current build.',
  get: 'Use it to read a key again, for example in a CI job that builds the app.',
  rotate: {
    description:
      'Use it when apps that were built until now must find no updates any longer. The old value is `404` at once, also for apps that you want to reach: they have to be installed again.',
    retry:
      'Send an `Idempotency-Key`, and repeat the request with the same key after a timeout, a `429` or a `503`. Without a key a repetition replaces the value again.',
  },
  revoke: 'Use it to end the updates of a channel and platform. The key is `404` at once. A new key has another value.',
} satisfies ControllerDocs;
