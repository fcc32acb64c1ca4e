import { type Developer, type OrganizationRef, type ProjectRef, randomEmail, scope } from '../../support/actors/actors';
import { ResumableClient } from '../../support/actors/resumable-client';
import { TestApp } from '../../support/app/test-app';

interface QuotaJson {
  readonly quota: string;
  readonly limit: number;
  readonly used: number;
}

describe('quotas', () => {
  let app: TestApp;
  let ann: Developer;
  let organization: OrganizationRef;
  let project: ProjectRef;
  beforeAll(async () => {
    app = await TestApp.start({
      environment: {
        QUOTA_PROJECTS_PER_ORGANIZATION: '2',
        QUOTA_MEMBERS_PER_ORGANIZATION: '3',
        QUOTA_CHANNELS_PER_PROJECT: '4',
        QUOTA_TESTERS_PER_PROJECT: '5',
        QUOTA_TOKENS_PER_PROJECT: '6',
        QUOTA_OPEN_UPLOADS_PER_PROJECT: '7',
        MAX_OPEN_UPLOAD_BYTES_ON_TRIAL: '30',
      },
    });
    ann = await app.developer();
    organization = await ann.createsOrganization();
    await ann.changesPlan(organization, 'business');
    project = await ann.createsProject(organization);
  });
  afterAll(() => app.stop());

  const ofOrganization = async (): Promise<QuotaJson[]> => quotas(`/organizations/${organization.id}/quotas`);
  const ofProject = async (): Promise<QuotaJson[]> =>
    quotas(`/projects/${project.id}/quotas?organization_id=${organization.id}`);
  const quotas = async (path: string): Promise<QuotaJson[]> =>
    ((await ann.get(path).expect(200)).body as { quotas: QuotaJson[] }).quotas;

  it('of an organization count projects and members up to the same limit as a rejected request names', async () => {
    expect(await ofOrganization()).toEqual([
      { quota: 'projects_per_organization', limit: 2, used: 1 },
      { quota: 'members_per_organization', limit: 3, used: 1 },
      { quota: 'open_upload_bytes', limit: 30, used: 0 },
    ]);
    await ann.createsProject(organization);
    const [projects] = await ofOrganization();
    expect(projects).toMatchObject({ used: 2 });
    const { body } = await ann.post(`/projects?organization_id=${organization.id}`, { name: 'Third' }).expect(400);
    expect(body).toMatchObject({
      error: 'quota_exceeded',
      details: { quota: projects!.quota, limit: projects!.limit },
    });
  });

  it('of a project count channels, testers, devices, valid tokens and open uploads', async () => {
    expect((await ofProject()).map(({ used }) => used)).toEqual([0, 0, 0, 0, 0]);
    await ann.createsChannel(project);
    await ann.post(`/testers?${scope(project)}`, { email: randomEmail() }).expect(201);
    const revoked = await ann.createsToken(project, 'VIEW_PROJECT');
    const file = { bytes: Buffer.alloc(10), fileName: 'a.dmg' };
    const client = await ResumableClient.start(ann, project, file, { platform: 'macos', version: '1' });
    expect(await ofProject()).toEqual([
      { quota: 'channels_per_project', limit: 4, used: 1 },
      { quota: 'testers_per_project', limit: 5, used: 1 },
      { quota: 'devices_per_project', limit: 10000, used: 0 },
      { quota: 'tokens_per_project', limit: 6, used: 1 },
      { quota: 'open_uploads', limit: 7, used: 1 },
    ]);
    const { quotas: seen } = (
      await app.ci(revoked).get(`/projects/${project.id}/quotas?organization_id=${organization.id}`).expect(200)
    ).body as { quotas: QuotaJson[] };
    expect(seen).toHaveLength(5);
    await client.drop().expect(204);
    await app.sql('UPDATE project_access_token SET revoked_at = now()');
    expect((await ofProject()).map(({ used }) => used)).toEqual([1, 1, 0, 0, 0]);
  });
});
