import { type ControllerDocs } from '#infra/http/describe';

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
      'Use it to close the account. Sessions, memberships, project roles and personal access tokens are deleted at once; the audit feed keeps only the id. Projects, builds and project access tokens belong to organizations and stay. If an organization would be left without an ADMIN, the response is `400 operation_not_allowed`, reason `last_admin`. This cannot be undone.',
    retry: 'After a timeout, repeat it: `401` means that the account is deleted.',
  },
} satisfies ControllerDocs;
