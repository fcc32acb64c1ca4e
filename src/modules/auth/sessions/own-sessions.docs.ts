import { type ControllerDocs } from '#infra/http/describe';

export const OWN_SESSIONS_DOCS = {
  list: 'Use it to show where you are logged in, and to find a login that was not yours. It lists the sessions that can still be refreshed. `current` marks the session of the request.',
  endOthers: {
    description:
      'Use it when you forgot to log out elsewhere. All your sessions end, except the one of the request. Their access and refresh tokens stop working at once. Personal access tokens stay valid.',
    retry: 'It can be repeated at any time: a session that has ended stays ended.',
  },
  end: {
    description:
      'Use it to end one session, for example of a lost device. Its access and refresh tokens stop working at once. An unknown or ended session is `404 not_found`.',
    retry: 'After a timeout, repeat it: `404` means that the session has ended.',
  },
} satisfies ControllerDocs;
