import {
  type InvitationResponse,
  type MemberRemovalResponse,
  type MemberResponse,
  type OrganizationRole,
} from '@agate/client';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api } from '../../session/api';
import { byCursor } from '../by-cursor';
import { keyOf } from '../keys';

export type Member = MemberResponse;
export type Invitation = InvitationResponse;
export type LeftToken = MemberRemovalResponse['project_access_tokens'][number];

/** The members of an organization with their roles, newest first. */
export const membersQuery = (organizationId: string) =>
  infiniteQueryOptions({
    queryKey: keyOf('members', organizationId),
    ...byCursor,
    queryFn: ({ pageParam, signal }) =>
      api.request('GET /organizations/{organization_id}/members', {
        path: { organization_id: organizationId },
        query: { limit: 50, cursor: pageParam },
        signal,
      }),
  });

/** Up to 100 members, for a choice of one and for their names. */
export const memberChoicesQuery = (organizationId: string) =>
  queryOptions({
    queryKey: keyOf('members', organizationId, 'choices'),
    staleTime: 60_000,
    queryFn: async ({ signal }) =>
      (
        await api.request('GET /organizations/{organization_id}/members', {
          path: { organization_id: organizationId },
          query: { limit: 100 },
          signal,
        })
      ).items,
  });

/** The members with the role ADMIN, of the first 100 members. */
export const adminsQuery = (organizationId: string) =>
  queryOptions({
    ...memberChoicesQuery(organizationId),
    select: (members) => members.filter(({ roles }) => roles.includes('ADMIN')),
  });

/** Names of the members who may change the plan, of the first 100 members. */
export const planChangersQuery = (organizationId: string) =>
  queryOptions({
    ...memberChoicesQuery(organizationId),
    select: (members) =>
      members
        .filter(({ roles }) => roles.includes('BILLING') || roles.includes('ADMIN'))
        .map(({ name, email }) => name ?? email),
  });

/** The open invitations of an organization, newest first. */
export const invitationsQuery = (organizationId: string) =>
  infiniteQueryOptions({
    queryKey: keyOf('invitations', organizationId),
    ...byCursor,
    queryFn: ({ pageParam, signal }) =>
      api.request('GET /organizations/{organization_id}/invitations', {
        path: { organization_id: organizationId },
        query: { limit: 50, cursor: pageParam },
        signal,
      }),
  });

export const invite = (
  organizationId: string,
  email: string,
  roles: readonly OrganizationRole[],
): Promise<Invitation> =>
  api.request('POST /organizations/{organization_id}/invitations', {
    path: { organization_id: organizationId },
    body: { email, roles },
  });

export const withdrawInvitation = (organizationId: string, invitationId: string): Promise<undefined> =>
  api.request('DELETE /organizations/{organization_id}/invitations/{invitation_id}', {
    path: { organization_id: organizationId, invitation_id: invitationId },
  });

export const changeRoles = (
  organizationId: string,
  developerId: string,
  roles: readonly OrganizationRole[],
): Promise<Member> =>
  api.request('PATCH /organizations/{organization_id}/members/{developer_id}', {
    path: { organization_id: organizationId, developer_id: developerId },
    body: { roles },
  });

/** Removes a member, or lets the caller leave. Returns the valid project access tokens that the member may know. */
export async function removeMember(organizationId: string, developerId: string): Promise<readonly LeftToken[]> {
  // Without these tokens the response has no content.
  const removal = (await api.request('DELETE /organizations/{organization_id}/members/{developer_id}', {
    path: { organization_id: organizationId, developer_id: developerId },
    query: {},
  })) as MemberRemovalResponse | undefined;
  return removal?.project_access_tokens ?? [];
}
