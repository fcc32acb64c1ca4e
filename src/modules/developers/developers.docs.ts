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

export const ACCOUNT_DOCS = {
  changePassword: {
    description:
      'Use it while logged in; for a forgotten password use `POST /developers/reset_password_request`. All sessions end, also this one: log in again. Unused links for a password reset or a new address stop working. Personal access tokens stay valid. A mail tells the owner. A wrong current password is `400 invalid_input`, reason `wrong_password`.',
    retry:
      'After a timeout, log in with the new password first: if that works, the change was made. A repetition is then `401`, because the session has ended.',
  },
  changeEmail: {
    description:
      'Use it to move the account to another address. A link is mailed to the new address; the change takes effect when its owner confirms it within an hour, and the old address is then notified. The response is the same if the new address has an account; then nothing is mailed. A wrong password is `400 invalid_input`, reason `wrong_password`.',
    retry: 'It can be repeated: each request sends another link, at most three per hour.',
  },
  delete: {
    description:
      'Use it to close the account. Sessions, memberships, project roles and personal access tokens are deleted immediately; the audit feed keeps only the id. Projects, builds and project access tokens belong to organizations and stay. If an organization would be left without an ADMIN, the response is `400 operation_not_allowed`, reason `last_admin`. This cannot be undone.',
    retry: 'After a timeout, repeat it: `401` means that the account is deleted.',
  },
} satisfies ControllerDocs;

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

export const EMAIL_CHANGE_DOCS = {
  open: 'The target of the mailed link, for browsers. It shows a page with a button that confirms. The token stays usable, because mail scanners open links.',
  confirm: {
    description:
      'Use it to confirm a new address with the token of the mailed link. The account has the new address from now on, the old address is notified, and all sessions end. A used or expired token is `400 invalid_input`, reason `link_expired`. A form gets a page, JSON gets `204`.',
    retry: 'The token works once. After a timeout, log in with the new address to see whether it took effect.',
  },
} satisfies ControllerDocs;

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

export const SECOND_FACTORS_DOCS = {
  enrol: {
    description:
      'Use it to set up an authenticator app (TOTP, RFC 6238): show the recovery codes and the QR code, then send the first code of the app to `POST /developers/me/mfa/confirm`. Until then logins need no code. It needs the password. While a factor is enabled, the response is `409 already_exists`: disable it first.',
    retry: 'It can be repeated: the response has another secret, and only the last one can be confirmed.',
  },
  confirm: {
    description:
      'Use it to enable the second factor. Logins need a code from now on, and all sessions end: log in again. The response repeats the recovery codes of the enrolment; each replaces a code of the app once. A mail tells the owner. A wrong code is `400 invalid_input`, reason `wrong_code`.',
    retry: 'After a timeout, log in to see whether a code is required. The recovery codes are those of the enrolment.',
  },
  disable: {
    description:
      'Use it before changing to another authenticator app, or to log in without codes. It needs the password and a code of the app or a recovery code. All sessions end, and a mail tells the owner. After twenty wrong codes all codes of the app are `429` for a while; recovery codes are accepted throughout.',
    retry: 'A code works once. After a timeout, log in to see whether a code is still required.',
  },
} satisfies ControllerDocs;
