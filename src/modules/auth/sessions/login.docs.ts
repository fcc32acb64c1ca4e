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
      'Use it to end all sessions of the developer, on all devices, or with `only_this_session` the one of the request. Send an access JWT or, when it has expired, the refresh token in the body or as the cookie. Access JWTs and refresh tokens of the ended sessions stop working at once. Personal access tokens stay valid. Both cookies are removed.',
    retry: 'After a timeout, repeat it: `401` means that the sessions have ended.',
    cookies: 'cleared',
  },
} satisfies ControllerDocs;
