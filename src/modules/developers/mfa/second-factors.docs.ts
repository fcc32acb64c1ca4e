import { type ControllerDocs } from '#infra/http/describe';

export const SECOND_FACTORS_DOCS = {
  enrol: {
    description:
      'Use it to set up an authenticator app (TOTP, RFC 6238): show the QR code, then send the first code of the app to `POST /developers/me/mfa/confirm`. Until then logins need no code. It needs the password. While a factor is enabled, the response is `409 already_exists`: disable it first.',
    retry: 'It can be repeated: the response has another secret, and only the last one can be confirmed.',
  },
  confirm: {
    description:
      'Use it to enable the second factor. Logins need a code from now on, and all sessions end: log in again. The response is the only one that contains the recovery codes; each replaces a code of the app once. A mail tells the owner. A wrong code is `400 invalid_input`, reason `wrong_code`.',
    retry:
      'After a timeout, log in to see whether a code is required. If it is, and you did not receive the recovery codes, disable the factor with a code of the app and enrol again.',
  },
  disable: {
    description:
      'Use it before changing to another authenticator app, or to log in without codes. It needs the password and a code of the app or a recovery code. All sessions end, and a mail tells the owner. After twenty wrong codes all codes of the app are `429` for a while; recovery codes are accepted throughout.',
    retry: 'A code works once. After a timeout, log in to see whether a code is still required.',
  },
} satisfies ControllerDocs;
