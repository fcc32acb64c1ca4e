import { type ControllerDocs } from '#infra/http/describe';

export const CHANNELS_DOCS = {
  list: 'Use it to find the id or the install link of a channel; with `name`, of the channel with that name. The link is `null` for callers who may not download.',
  create:
    'Use it for each group of testers that is to get its own builds, such as “Beta” or “Nightly”. The channel has an install link from the start, which shows a page without builds until the first promotion. Channels need the plan `business`: on another plan the response is `400 operation_not_allowed` with `details.required_plan`. A name that the project already uses is `409 already_exists`.',
  get: 'Use it to get the install link of a channel, for example to print it in a CI job.',
  update: 'Use it to correct the name. Install links, releases and subscriptions do not change.',
  rotateLink: {
    description:
      'Use it when the install link of the channel has reached people who should not have it. The old link and the download URLs that were made through it stop working immediately. Links that were mailed to testers are separate and keep working. The response has the new link.',
    retry:
      'Send an `Idempotency-Key`, and repeat the request with the same key after a timeout, a `429` or a `503`. Without a key a repetition replaces the link again.',
  },
  delete:
    'Use it to remove a channel that is no longer needed. Withdraw its releases and end its subscriptions first: while it has any, the response is `409 dependency_exists`. Its install link stops working immediately. Builds and testers stay.',
} satisfies ControllerDocs;

export const BRANCH_CHANNELS_DOCS = {
  close:
    'Use it in CI when a pull request is closed or a branch is deleted, for projects whose uploads make a channel for each branch (`branch_channels` of the project). It ends the channel that the uploads of this branch made, with its releases, subscriptions and install link. Builds stay. Without such a channel nothing is changed, and the response is `200` with `closed: false`, so a job need not know whether there were uploads. A later upload of the branch makes a new channel with a new link.',
} satisfies ControllerDocs;
