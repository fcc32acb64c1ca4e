import { type ControllerDocs } from '#infra/http/describe';

const IMPLIED =
  'Roles that follow from organization roles (`READ`, `MANAGER`, `ADMIN`) are not stored in the project and are not part of it.';

export const PROJECT_MEMBERS_DOCS = {
  list: `Use it to show who was given a role in this project. ${IMPLIED}`,
  get: `Use it to look up the role of one member. \`404 not_found\` if they have no role of their own in the project. ${IMPLIED}`,
  put: 'Use it to give a member of the organization a role in the project, or to change it. It replaces the role that they had, and takes effect with their next request. A developer who is not a member of the organization is `404 not_found`: invite them first.',
  remove:
    'Use it to take away the role of a member in the project. It takes effect with their next request. What follows from their organization roles stays.',
} satisfies ControllerDocs;
