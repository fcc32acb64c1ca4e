import { type ControllerDocs } from '#infra/http/describe';

export const PASSWORD_RESET_DOCS = {
  request: {
    description:
      'Use it when a password was forgotten. If the address has an account, it gets a mail with a link that works once, for an hour. The response is the same if it has none. Each account gets at most three such mails per hour; further requests send nothing.',
    retry: 'It can be repeated: each request may send another mail.',
  },
  open: 'The target of the mailed link, for browsers. It shows the form for a new password. Without a token it shows the form that requests a link. The token stays usable, because mail scanners open links.',
  reset: {
    description:
      'Use it to set a new password with the token of the mailed link. All sessions end, and other unused links of the account stop working. Personal access tokens stay valid unless `revoke_pats` is true. It does not log in and does not disable the second factor. A used or expired token is `400 invalid_input`, reason `link_expired`. A form gets a page, JSON gets `204`.',
    retry: 'The token works once. After a timeout, log in with the new password to see whether it took effect.',
  },
} satisfies ControllerDocs;
