import { type ControllerDocs } from '#infra/http/describe';

export const INVITATION_ACCEPTANCE_DOCS = {
  open: 'The target of the mailed link, for browsers. It shows a page with a button that accepts. The token stays usable.',
  accept:
    'Use it to join the organization with the token of the mailed link. You must be logged in with the address that was invited, and it must be verified; the inviter must still be ADMIN. Otherwise, and for a used, withdrawn or expired invitation, the response is `400 invalid_input`, reason `invitation_unusable`. It gives you the roles of the invitation and uses it up. A form gets a page, JSON gets the organization.',
} satisfies ControllerDocs;
