import { type ControllerDocs } from '#infra/http/describe';

export const MEMBERS_DOCS = {
  list: 'Use it to show who belongs to the organization and with which roles, or to find the id of a member.',
  update:
    'Use it to give a member other roles. The given roles replace all that they have, and take effect with their next request. An organization always has an ADMIN: taking the role from the last one is `400 operation_not_allowed`, reason `last_admin`. Invitations that a former ADMIN sent are withdrawn.',
  remove:
    'Use it to remove a member, or with your own id to leave. Their project roles, personal access tokens and open invitations end at once. Project access tokens belong to projects and stay: if the member knows the values of valid ones, the response is `200` and lists them, and every ADMIN gets a mail. With `revoke_tokens=true`, which needs ADMIN, they are revoked in the same step. Removing the last ADMIN is `400 operation_not_allowed`, reason `last_admin`. A developer who was removed can be invited again.',
} satisfies ControllerDocs;
