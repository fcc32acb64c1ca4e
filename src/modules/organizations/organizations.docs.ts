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
