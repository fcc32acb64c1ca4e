import { type ControllerDocs } from '#infra/http/describe';

export const SESSION_STATE_DOCS = {
  find: {
    description:
      'Use it when a web page loads, to decide between the page and the login form without a rejected request. It reads only the two cookies of the session, which only a browser on the origin of this service or of `DASHBOARD_ORIGINS` sends, and always responds with 200. It changes nothing: the refresh token stays usable. While a person has not verified their address, `developer.email_verified` is false.',
  },
} satisfies ControllerDocs;
