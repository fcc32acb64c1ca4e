import { type ControllerDocs } from '#infra/http/describe';

export const CAPTCHA_DOCS = {
  open: {
    description:
      'Use it before a sign-up, if the service requires a captcha, and with `for=login` when a login was rejected with `details.captcha_required`. Browsers get a page that solves the challenge and posts the solution to the dashboard, which may embed it. With `Accept: application/json` the response is the challenge itself, for a widget of your own ([ALTCHA](https://altcha.org), a proof of work). Send the solution as `captcha`. It works once. If none is required it is `404 not_found` for JSON.',
    response: {
      parameters: {
        algorithm: 'PBKDF2/SHA-256',
        nonce: 'c0ffee5f2a41',
        salt: '7b3e9c55',
        cost: 5000,
        keyLength: 32,
        keyPrefix: '00',
      },
      signature: '5d41402abc4b2a76b971',
    },
  },
} satisfies ControllerDocs;
