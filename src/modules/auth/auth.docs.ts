import { type ControllerDocs } from '#infra/http/describe';

export const LOGIN_DOCS = {
  logIn: {
    description:
      'Use it to start a session of a person; programs use access tokens. It returns an access JWT for ten minutes and a refresh token, and sets both as cookies for browsers. With `cookies_only` the tokens are in the cookies alone, and the response is `204`. If a second factor is enabled and the code is missing or wrong, the response is `401 unauthorized` with `details.mfa_required: true`: repeat the request with `mfa_code`. A wrong password and an unknown address have the same response. After several failures for an address the response is `401` or `429` with `details.captcha_required: true`: solve a challenge of `GET /captcha?for=login` and send it as `captcha`. For browsers it also sets the cookie `dfdeveloper_device`: failed logins on other devices then do not require a captcha on this one. A request from a page of another site is `403 permission_denied`.',
    retry:
      'It can be repeated after a timeout, a `429` or a `503`: each success starts another session. A code of the authenticator app and a captcha solution work once.',
    cookies: 'login',
  },
  refresh: {
    description:
      'Use it when the access JWT has expired. Send the refresh token in the body, or as the cookie `dfdeveloper_refresh`; the body takes precedence. It returns a new pair and sets both cookies again; with `cookies_only` it only sets the cookies. The presented token is used up. Using it a second time ends the whole session, because it may have been stolen; within ten seconds it is only `401`. A session ends after 30 days without a refresh, and after 90 days in any case.',
    retry:
      'Do not repeat it with the same token after a success. After a timeout the new pair may be lost: if a repetition is `401`, log in again.',
    cookies: 'set',
  },
  logOut: {
    description:
      'Use it to end all sessions of the developer, on all devices, or with `only_this_session` the one of the request. Send an access JWT or, when it has expired, the refresh token in the body or as the cookie. Access JWTs and refresh tokens of the ended sessions stop working immediately. Personal access tokens stay valid. Both cookies are removed.',
    retry: 'After a timeout, repeat it: `401` means that the sessions have ended.',
    cookies: 'cleared',
  },
} satisfies ControllerDocs;

export const INVITATION_LOGIN_DOCS = {
  logIn: {
    description:
      'Use it on the page behind the link of an invitation, for a person without an account. It creates an account with the invited address, which the token proves, so no mail follows; joins the organization with the roles of the invitation; and starts a session like `POST /login/email`. An account of the address that was never verified is replaced. If the address has a verified account, the response is `409 already_exists`: log in and accept. An address that may not sign up is `400 operation_not_allowed`, reason `sign_up_rejected`. A used, withdrawn or expired invitation is `400 invalid_input`, reason `invitation_unusable`. A request from a page of another site is `403 permission_denied`.',
    retry: 'After a timeout, repeat it: `400` or `409` can mean that it has succeeded; then log in.',
    cookies: 'login',
  },
} satisfies ControllerDocs;

export const OWN_SESSIONS_DOCS = {
  list: 'Use it to show where you are logged in, and to find a login that was not yours. It lists the sessions that can still be refreshed. `current` marks the session of the request.',
  endOthers: {
    description:
      'Use it when you forgot to log out elsewhere. All your sessions end, except the one of the request. Their access and refresh tokens stop working immediately. Personal access tokens stay valid.',
    retry: 'It can be repeated at any time: a session that has ended stays ended.',
  },
  end: {
    description:
      'Use it to end one session, for example of a lost device. Its access and refresh tokens stop working immediately. An unknown or ended session is `404 not_found`.',
    retry: 'After a timeout, repeat it: `404` means that the session has ended.',
  },
} satisfies ControllerDocs;

export const SESSION_STATE_DOCS = {
  find: {
    description:
      'Use it when a web page loads, to decide between the page and the login form without a rejected request. It reads only the two cookies of the session, which only a browser on the origin of this service or of `DASHBOARD_ORIGINS` sends, and always responds with 200. It changes nothing: the refresh token stays usable. While a person has not verified their address, `developer.email_verified` is false.',
  },
} satisfies ControllerDocs;

export const DEVICE_LOGIN_DOCS = {
  start: {
    description:
      'Use it in a program on a machine with a person, such as a command line: the person confirms in a browser, and the program never sees a password (RFC 8628). Show `user_code` and `verification_uri`, open `verification_uri_complete` if the machine has a browser, and request the token every `interval` seconds with `POST /login/device/token`. The codes work for ten minutes. A service without its dashboard responds with `400 operation_not_allowed`, reason `no_dashboard`: log in with the password instead.',
    retry: 'After a timeout, start again: a login without a confirmation expires and has no effect.',
  },
  takeToken: {
    description:
      'Use it to get the personal access token of a confirmed login. Until then the response is `400 operation_not_allowed`, and `details.reason` says what to do: `authorization_pending`: repeat the request after the interval; `slow_down`: the interval is five seconds longer from now on; `access_denied`: the person cancelled; `expired_token`: the code expired, was used or is unknown. The token belongs to the developer who confirmed, in the organization that they chose, has the scopes of the start and expires after 90 days. The response is the only one that contains its value. The developer is notified by mail.',
    retry:
      'Each rejection may be followed by another request after the interval. The token is handed out once: after a timeout the next response can be `expired_token`; then start again.',
  },
  find: {
    description:
      'Use it on the page on which a person enters the code that a program shows: it returns the name of the machine and the scopes that the program requests. Compare the name with your machine: a code that another person sent you would give them access. A wrong or expired code is `404 not_found`. After five wrong codes, the response is `429` until ten minutes after the first.',
  },
  confirm: {
    description:
      'Use it when the person who started the program agrees. The program gets a personal access token for the organization, with its next request. It acts for you, within its scopes and your roles. The first decision about a code counts: after a cancellation, or with another organization, the response is `400 operation_not_allowed`, reason `already_decided`.',
    retry: 'It can be repeated at any time: the same decision about a code has no further effect.',
  },
  deny: {
    description:
      'Use it when the person did not start the program, or cancels. The next request of the program gets `access_denied`. After a confirmation the response is `400 operation_not_allowed`, reason `already_decided`: revoke the token instead.',
    retry: 'It can be repeated at any time: the same decision about a code has no further effect.',
  },
} satisfies ControllerDocs;

export const CURRENT_CREDENTIAL_DOCS = {
  find: 'Use it in scripts and CI, to find out which organization and project a token belongs to, what it may do and when it expires, before it is used for anything else. It needs no role and no scope: every valid credential may request what it is. The response never contains the credential itself.',
} satisfies ControllerDocs;

export const JWKS_DOCS = {
  keys: 'Use it to verify access JWTs in another service. A JWT names its key by `kid`; there is more than one key while keys are replaced. The response may be cached for five minutes. It does not tell whether a session has ended: only this service knows.',
} satisfies ControllerDocs;
