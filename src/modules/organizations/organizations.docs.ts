import { type ControllerDocs } from '#infra/http/describe';

export const ORGANIZATIONS_DOCS = {
  list: 'Use it after a login, to find the organizations that you belong to, with your roles in each. It is a plain array, because their number is limited. A personal access token sees only the organization that it is bound to.',
  create:
    'Use it to start a tenant of its own, with its own projects, members and bill. You become its ADMIN. It is on the plan `team`. The first organizations of a developer get a trial credit.',
  get: 'Use it to show the name and plan of an organization, and your roles in it.',
  update: 'Use it to rename an organization. Members and testers see the new name in mails and pages from now on.',
  delete:
    'Use it to end a tenant. Delete its projects, tear down its own storage, and pay what it owes (reason `balance_owed`) first: otherwise the response is `409 dependency_exists`. Members, invitations and tokens are deleted with it, and remaining credit is lost. This cannot be undone.',
} satisfies ControllerDocs;

export const MEMBERS_DOCS = {
  list: 'Use it to show who belongs to the organization and with which roles, or to find the id of a member.',
  update:
    'Use it to give a member other roles. The given roles replace all that they have, and take effect with their next request. An organization always has an ADMIN: taking the role from the last one is `400 operation_not_allowed`, reason `last_admin`. Invitations that a former ADMIN sent are withdrawn.',
  remove:
    'Use it to remove a member, or with your own id to leave. Their project roles, personal access tokens and open invitations end immediately. Project access tokens belong to projects and stay: if the member knows the values of valid ones, the response is `200` and lists them, and every ADMIN gets a mail. With `revoke_tokens=true`, which needs ADMIN, they are revoked in the same step. Removing the last ADMIN is `400 operation_not_allowed`, reason `last_admin`. A developer who was removed can be invited again.',
} satisfies ControllerDocs;

export const INVITATIONS_DOCS = {
  list: 'Use it to see who was invited and has not accepted yet. Accepted, withdrawn and expired invitations are not listed.',
  invite:
    'Use it to add a person to the organization. They get a mail with a link that works once, for seven days. They log in with an account of exactly this address and accept, or sign up with the link. A new invitation to the same address replaces the older one, whose link stops working: use this to send the mail again or to change the roles. A member is `409 already_exists`.',
  withdraw:
    'Use it when an invitation was a mistake. Its link stops working immediately. If it was accepted, it is `404 not_found`: remove the member.',
} satisfies ControllerDocs;

export const INVITATION_ACCEPTANCE_DOCS = {
  open: 'The target of the mailed link, for browsers. It leads to the page `/join` of the dashboard; a service without the dashboard shows a page with a button that accepts. The token stays usable.',
  accept:
    'Use it to join the organization with the token of the mailed link. You must be logged in with the address that was invited, and it must be verified; the inviter must still be ADMIN. Otherwise, and for a used, withdrawn or expired invitation, the response is `400 invalid_input`, reason `invitation_unusable`. It gives you the roles of the invitation and uses it up. A form gets a page, JSON gets the organization.',
} satisfies ControllerDocs;

export const INVITATION_PREVIEW_DOCS = {
  find: {
    description:
      'Use it on the page behind the mailed link, to show who invites whom to what before the person logs in or signs up. Only the mailed link contains the token, so its holder has proved the address. `has_account` says whether to log in, then accept, or to sign up with `POST /login/invitation`. A used, withdrawn or expired invitation, and one whose sender is no longer ADMIN, is `400 invalid_input`, reason `invitation_unusable`.',
    retry: 'It can be repeated at any time: it changes nothing.',
  },
} satisfies ControllerDocs;

export const OWN_INVITATIONS_DOCS = {
  list: 'Use it to show a person which organizations invited them, without the mailed link. It lists the invitations to the address of your account that can be accepted now. While the address is not verified, the list is empty: it may belong to another person.',
  accept:
    'Use it instead of the mailed link. It gives you the roles of the invitation and uses it up. An invitation to another address, or one that was used, withdrawn or has expired, is `404 not_found`, as is one whose sender is no longer ADMIN.',
  decline:
    'Use it to remove an invitation that you do not want. Its mailed link stops working, and the organization sees it in its audit feed. It may invite you again.',
} satisfies ControllerDocs;
