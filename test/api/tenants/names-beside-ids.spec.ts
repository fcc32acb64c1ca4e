import { parse } from 'csv-parse/sync';
import { scope } from '../../support/actors/actors';
import { createTenant, type Tenant } from '../../support/actors/tenant';
import { TestApp } from '../../support/app/test-app';

interface Items {
  readonly items: Record<string, unknown>[];
}

describe('names beside ids', () => {
  let app: TestApp;
  let tenant: Tenant;
  beforeAll(async () => {
    app = await TestApp.start();
    tenant = await createTenant(app, 'names');
  });
  afterAll(() => app.stop());

  const items = async (path: string): Promise<Items['items']> =>
    ((await tenant.admin.get(path).expect(200)).body as Items).items;

  it('name the creator of a project access token, in every response that has the token', async () => {
    const { admin, project, projectToken } = tenant;
    const path = `/project-access-tokens?${scope(project)}`;
    const created = { created_by: admin.id, created_by_label: 'names' };
    expect(await items(path)).toEqual([expect.objectContaining(created)]);
    const rotate = `/project-access-tokens/${projectToken.id}/rotate?${scope(project)}`;
    expect((await admin.post(rotate, { overlap_seconds: 60 }).expect(200)).body).toMatchObject(created);
    const draft = { name: 'Another', role: 'VIEW_PROJECT' };
    expect((await admin.post(path, draft).expect(201)).body).toMatchObject(created);
  });

  it('name the inviter of an invitation', async () => {
    const { admin, organization } = tenant;
    const path = `/organizations/${organization.id}/invitations`;
    expect(await items(path)).toEqual([expect.objectContaining({ invited_by: admin.id, invited_by_label: 'names' })]);
    const invitation = { email: 'second.guest@example.com', roles: ['MEMBER'] };
    expect((await admin.post(path, invitation).expect(201)).body).toMatchObject({ invited_by_label: 'names' });
  });

  // red when: the roles of another organization are used
  it('name the members of a project, with the role that their organization roles imply', async () => {
    const { admin, member, organization, project } = tenant;
    const path = `/projects/${project.id}/members`;
    const query = `?organization_id=${organization.id}`;
    const bob = { developer_id: member.id, email: member.email, name: null, role: 'VIEW_PROJECT' };
    expect(await items(path + query)).toEqual([{ ...bob, inherited_role: null }]);
    await app.sql(`UPDATE membership SET roles = '{MANAGER}' WHERE developer_id = $1`, [member.id]);
    const managing = { ...bob, inherited_role: 'MANAGE_PROJECT' };
    expect(await items(path + query)).toEqual([managing]);
    const one = `${path}/${member.id}${query}`;
    expect((await admin.get(one).expect(200)).body).toEqual(managing);
    const { body } = await admin.request('put', one).send({ role: 'UPLOAD_BUILD' }).expect(200);
    expect(body).toEqual({ ...managing, role: 'UPLOAD_BUILD' });
  });

  it('name the creator of a download URL, in the log and its CSV file', async () => {
    const { admin, build, project, projectToken } = tenant;
    for (const client of [admin, app.ci(projectToken.token)]) {
      const { body } = await client.post(`/builds/${build.id}/download-url?${scope(project)}`).expect(200);
      await app.anonymous.get(new URL((body as { url: string }).url).pathname).expect(200);
    }
    const { headers } = await app.anonymous.get(`${new URL(build.install_url).pathname}/package.ipa`).expect(302);
    await app.anonymous.get(new URL(headers['location']!).pathname).expect(200);
    const log = await items(`/builds/${build.id}/downloads?${scope(project)}`);
    const mintedBy = log.map(({ minted_by }) => minted_by);
    expect(mintedBy).toEqual([
      expect.objectContaining({ kind: 'invite', label: null }),
      { kind: 'project_access_token', id: projectToken.id, label: 'names' },
      { kind: 'developer', id: admin.id, label: 'names' },
    ]);
    const { text } = await admin.get(`/builds/${build.id}/downloads.csv?${scope(project)}`).expect(200);
    const rows = parse<Record<string, string>>(text, { columns: true });
    expect(rows.map(({ minted_by_label }) => minted_by_label)).toEqual(['', 'names', 'names']);
  });
});
