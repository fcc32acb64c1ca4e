import { type Bearer, type Developer, type OrganizationRef, type ProjectRef } from '../../support/actors/actors';

/** Makes a developer a member of an organization, by an invitation that they accept. */
export async function joins(
  admin: Bearer,
  developer: Developer,
  organization: OrganizationRef,
  roles: readonly string[],
): Promise<void> {
  await admin.post(`/organizations/${organization.id}/invitations`, { email: developer.email, roles }).expect(201);
  const { body } = await developer.get('/developers/me/invitations').expect(200);
  const [{ id }] = (body as { items: [{ id: string }] }).items;
  await developer.post(`/developers/me/invitations/${id}/accept`).expect(200);
}

/** Gives a member of the organization a role in a project. */
export async function gives(admin: Bearer, developer: Developer, project: ProjectRef, role: string): Promise<void> {
  const path = `/projects/${project.id}/members/${developer.id}?organization_id=${project.organizationId}`;
  await admin.request('put', path).send({ role }).expect(200);
}
