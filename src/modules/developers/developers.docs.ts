import { type ControllerDocs } from '#infra/http/describe';

export const DEVELOPERS_DOCS = {
  signUp: {
    description:
      'Use it to create an account. The response is `202` with the same body whether or not the address has an account; the mail says what comes next: a link that verifies the address, or that an account exists. Until the address is verified, requests that change something are `403 email_not_verified`. Where a captcha is configured, `captcha` must have a solution of `GET /captcha`. The operators decide who may sign up.',
    retry:
      'It can be repeated after a timeout, a `429` or a `503`: a second request for the address sends another mail and makes no second account. A captcha solution works once.',
  },
  me: 'Use it after a login, to show the account and to find out whether the address is verified and a second factor is enabled.',
  update: {
    description:
      'Use it to change the name that other members see, or the language of the mails to you. Absent fields stay as they are.',
    retry: 'It can be repeated: the same body has the same result.',
  },
} satisfies ControllerDocs;
