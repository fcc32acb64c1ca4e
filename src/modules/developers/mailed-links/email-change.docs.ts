import { type ControllerDocs } from '#infra/http/describe';

export const EMAIL_CHANGE_DOCS = {
  open: 'The target of the mailed link, for browsers. It shows a page with a button that confirms. The token stays usable, because mail scanners open links.',
  confirm: {
    description:
      'Use it to confirm a new address with the token of the mailed link. The account has the new address from now on, the old address is notified, and all sessions end. A used or expired token is `400 invalid_input`, reason `link_expired`. A form gets a page, JSON gets `204`.',
    retry: 'The token works once. After a timeout, log in with the new address to see whether it took effect.',
  },
} satisfies ControllerDocs;
