import { type ControllerDocs } from '#infra/http/describe';

export const EMAIL_VERIFICATION_DOCS = {
  resend: {
    description:
      'Use it when the verification mail was lost or its link has expired. The response is the same whether or not the address has an account, and whether or not it is verified. Each account gets at most three such mails per hour; further requests send nothing.',
    retry: 'It can be repeated: each request may send another mail.',
  },
  look: 'For mail scanners and link previews. It only shows that the page exists.',
  open: {
    description:
      'The target of the mailed link, for browsers. It verifies the address, uses the token up, and shows the result. It does not log in. Any link of an account that is already verified shows “already verified”. A bad or expired link is a page with status `400` and a form for a new link.',
    retry: 'It can be repeated: the second time the page says that the address is already verified.',
  },
  verify: {
    description:
      'Use it to verify an address from a program, with the token of the mailed link. It does not log in. A bad or used token is `400 invalid_input`, reason `link_expired`. A form gets a page, JSON gets `204`.',
    retry: 'The token works once. After a timeout, look at `email_verified` of `GET /developers/me`.',
  },
} satisfies ControllerDocs;
