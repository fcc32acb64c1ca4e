import { type ControllerDocs } from '#infra/http/describe';

const ONCE = {
  retry:
    'A link makes one change. A repetition changes nothing: a browser gets a page that says so, JSON gets `409 already_exists`.',
};
const PERSONAL =
  'It needs the link of a mail that was sent to this tester; other links are `404`. A form gets a page, JSON gets `204`.';

export const INVITE_ACTIONS_DOCS = {
  confirm:
    'The target of the link in a mail, for browsers. It shows a page with a button that unsubscribes, because mail scanners open links.',
  subscribe: {
    description: `For testers. It subscribes to the channel of the link, so that each promotion is mailed. A link without a channel lets the tester test the project again, or names a channel that they left by \`channel_id\`. ${PERSONAL}`,
    ...ONCE,
  },
  unsubscribe: {
    description: `For testers, and for the one-click button of mail programs (RFC 8058). It ends the mails of the channel of the link, or of the channel in \`channel_id\`; without a channel it ends all mails of the project. Members of the organization cannot undo it, only the tester can: the page has a link for this. ${PERSONAL}`,
    ...ONCE,
  },
  decline: {
    description: `For testers who stop testing the project. All their subscriptions end, and they are not mailed again. Only they can undo it. ${PERSONAL}`,
    ...ONCE,
  },
} satisfies ControllerDocs;
