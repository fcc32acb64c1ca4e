import { type ControllerDocs } from '#infra/http/describe';

export const INVITATIONS_DOCS = {
  list: 'Use it to see who was invited and has not accepted yet. Accepted, withdrawn and expired invitations are not listed.',
  invite:
    'Use it to add a person to the organization. They get a mail with a link that works once, for seven days. They must log in with an account of exactly this address, and accept. A new invitation to the same address replaces the older one, whose link stops working: use this to send the mail again or to change the roles. A member is `409 already_exists`.',
  withdraw:
    'Use it when an invitation was a mistake. Its link stops working at once. If it was accepted, it is `404 not_found`: remove the member.',
} satisfies ControllerDocs;
