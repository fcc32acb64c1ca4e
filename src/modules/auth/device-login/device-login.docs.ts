import { type ControllerDocs } from '#infra/http/describe';

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
