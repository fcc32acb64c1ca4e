import { type ControllerDocs } from '#infra/http/describe';

export const MEMBERS_DOCS = {
  list: 'Use it to show who belongs to the organization and with which roles, or to find the id of a member.',
  update:
    'Use it to give a member other roles. The given roles replace all that they have, and take effect with their next request. An organization always has an ADMIN: taking the role from the last one is `400 operation_not_allowed`, reason `last_admin`.',
  remove:
    'Use it to remove a member, or with your own id to leave. Their project roles and personal access tokens in the organization end at once. Removing the last ADMIN is `400 operation_not_allowed`, reason `last_admin`. A developer who was removed can be invited again.',
} satisfies ControllerDocs;
