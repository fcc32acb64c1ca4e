import { type ControllerDocs } from '#infra/http/describe';

export const PROJECTS_DOCS = {
  list: 'Use it to find the id of a project, or to show all projects of an organization. It lists every project if your organization roles reach all of them (`READ`, `MANAGER`, `ADMIN`), otherwise those in which you have a project role. With `include=summary` each project has a summary, so that a page of projects needs one request.',
  create:
    'Use it once for each app, before its first upload. The project is empty: it has no builds, channels, testers and tokens. You need no project role in it, because `MANAGER` and `ADMIN` reach every project. A name that the organization already uses is `409 already_exists`.',
  get: 'Use it to show one project, or in CI to find out which project a project access token belongs to.',
  summary:
    'Use it to show the state of a project on a dashboard: its newest builds, how much it contains, and whether testers use it. `GET /projects?include=summary` has the same for a page of projects.',
  update:
    'Use it to rename a project, to change whether it accepts builds with any bundle id, to choose the language of the mails to its testers, or to let uploads make a channel for each branch. Absent fields stay as they are. Builds and links do not change. Builds that exist stay, also those with another bundle id.',
  delete:
    'Use it to remove a project that was created by mistake or is finished. Delete its builds and channels first: while it has any, the response is `409 dependency_exists`. Its testers, members and tokens are deleted with it, and their links stop working immediately. This cannot be undone.',
} satisfies ControllerDocs;

const IMPLIED =
  'Roles that follow from organization roles (`READ`, `MANAGER`, `ADMIN`) are not stored in the project and are not part of it.';

export const PROJECT_MEMBERS_DOCS = {
  list: `Use it to show who was given a role in this project. ${IMPLIED}`,
  get: `Use it to look up the role of one member. \`404 not_found\` if they have no role of their own in the project. ${IMPLIED}`,
  put: 'Use it to give a member of the organization a role in the project, or to change it. It replaces the role that they had, and takes effect with their next request. A developer who is not a member of the organization is `404 not_found`: invite them first.',
  remove:
    'Use it to take away the role of a member in the project. It takes effect with their next request. What follows from their organization roles stays.',
} satisfies ControllerDocs;
