import { type Developer, type OrganizationRef, type ProjectRef, scope } from '../../support/actors/actors';
import { TestApp } from '../../support/app/test-app';

interface Listed {
  readonly id: string;
  readonly name: string;
  readonly project_name: string;
}

describe('the access tokens of an organization', () => {
  let app: TestApp;
  let ann: Developer;
  let bob: Developer;
  let organization: OrganizationRef;
  let rocket: ProjectRef;
  let kite: ProjectRef;
  beforeAll(async () => {
    app = await TestApp.start();
    [ann, bob] = [await app.developer(), await app.developer()];
  });
  beforeEach(async () => {
    organization = await ann.createsOrganization('Acme');
    rocket = await ann.createsProject(organization, 'Rocket');
    kite = await ann.createsProject(organization, 'Kite');
  });
  afterAll(() => app.stop());

  const creates = async (project: ProjectRef, name: string): Promise<{ id: string; token: string; last4: string }> => {
    const draft = { name, role: 'UPLOAD_BUILD' };
    return (await ann.post(`/project-access-tokens?${scope(project)}`, draft).expect(201)).body as {
      id: string;
      token: string;
      last4: string;
    };
  };
  const joins = async (developer: Developer, roles: readonly string[]): Promise<void> => {
    await app.sql('INSERT INTO membership VALUES ($1, $2, $3, now())', [organization.id, developer.id, roles]);
  };
  const path = (): string => `/organizations/${organization.id}/project-access-tokens`;
  const namesOf = async (query = '', as = ann): Promise<string[]> =>
    ((await as.get(`${path()}${query}`).expect(200)).body as { items: Listed[] }).items.map(
      ({ name, project_name }) => `${name} of ${project_name}`,
    );
  const identify = (value: string, as: Developer = ann, of = organization) =>
    as.post(`/organizations/${of.id}/tokens/identify`, { token: value });

  it('are listed over all projects, newest first, in pages, without those of other organizations', async () => {
    const other = await ann.createsProject(await ann.createsOrganization('Other'), 'Secret');
    await creates(rocket, 'CI');
    await creates(other, 'Foreign');
    const { id } = await creates(kite, 'Nightly');
    await creates(rocket, 'Gone');
    const gone = ((await ann.get(path()).expect(200)).body as { items: Listed[] }).items[0]!;
    await ann.delete(`/project-access-tokens/${gone.id}?${scope(rocket)}`).expect(204);
    expect(await namesOf()).toEqual(['Nightly of Kite', 'CI of Rocket']);
    const first = await ann.get(`${path()}?limit=1`).expect(200);
    expect(first.body).toMatchObject({
      items: [{ id, project_id: kite.id, project_name: 'Kite', creator_left: false }],
    });
    const { next_cursor: cursor } = first.body as { next_cursor: string };
    expect(await namesOf(`?limit=1&cursor=${cursor}`)).toEqual(['CI of Rocket']);
    expect(JSON.stringify(first.body)).not.toContain('ag_prj_');
  });

  it('are found by what they were not used for and by their last characters', async () => {
    const { id: old } = await creates(rocket, 'Old');
    const { id: used } = await creates(rocket, 'Old, but used');
    const { last4 } = await creates(kite, 'New');
    await app.sql(`UPDATE project_access_token SET created_at = app_now() - interval '91 days' WHERE id = ANY ($1)`, [
      [old, used],
    ]);
    await app.sql('UPDATE project_access_token SET last_used_at = app_now() WHERE id = $1', [used]);
    expect(await namesOf('?unused_days=90')).toEqual(['Old of Rocket']);
    expect(await namesOf(`?last4=${last4}`)).toEqual(['New of Kite']);
    for (const query of ['unused_days=0', 'unused_days=x', 'last4=abc'])
      await ann.get(`${path()}?${query}`).expect(400);
  });

  it('are listed for MANAGER and ADMIN only, who may revoke each', async () => {
    const { id } = await creates(kite, 'CI');
    await joins(bob, ['READ', 'AUDITOR', 'BILLING']);
    expect((await bob.get(path()).expect(403)).body).toMatchObject({ details: { required_role: 'MANAGER' } });
    await app.sql(`UPDATE membership SET roles = '{MANAGER}' WHERE developer_id = $1`, [bob.id]);
    expect(await namesOf('', bob)).toEqual(['CI of Kite']);
    await bob.delete(`/project-access-tokens/${id}?${scope(kite)}`).expect(204);
    expect(await namesOf('', bob)).toEqual([]);
  });

  // red when: identify finds valid tokens only: a person would look for the leaked token again and again
  it('are identified by a value, also when it works no longer', async () => {
    const { id, token } = await creates(rocket, 'CI');
    const stateOf = async (): Promise<unknown> => ((await identify(token).expect(200)).body as { state: string }).state;
    expect((await identify(token).expect(200)).body).toMatchObject({
      kind: 'project_access_token',
      id,
      name: 'CI',
      state: 'valid',
      project_id: rocket.id,
      project_name: 'Rocket',
      role: 'UPLOAD_BUILD',
      developer_label: ann.email,
    });
    await ann.post(`/project-access-tokens/${id}/rotate?${scope(rocket)}`, { overlap_seconds: 60 }).expect(200);
    expect(await stateOf()).toBe('valid');
    await app.clock.advance({ seconds: 61 });
    expect(await stateOf()).toBe('replaced');
    await ann.delete(`/project-access-tokens/${id}?${scope(rocket)}`).expect(204);
    expect(await stateOf()).toBe('revoked');
    expect(app.logLines.join('\n')).not.toContain(token);
  });

  // red when: identify checks the membership only
  it('are identified only for members who see them in a list', async () => {
    const { token } = await creates(rocket, 'CI');
    const pat = (await ann.post(`/pats?organization_id=${organization.id}`, { name: 'Mine', scopes: ['builds:read'] }))
      .body as { token: string };
    expect((await identify(pat.token).expect(200)).body).toMatchObject({
      kind: 'personal_access_token',
      name: 'Mine',
      project_id: null,
      role: null,
    });
    await joins(bob, ['READ']);
    for (const value of [token, pat.token]) await identify(value, bob).expect(404);
    const role = [organization.id, rocket.id, bob.id];
    await app.sql(`INSERT INTO project_membership VALUES ($1, $2, $3, 'UPLOAD_BUILD')`, role);
    await identify(token, bob).expect(200);
    await app.sql(`UPDATE membership SET roles = '{ADMIN}' WHERE developer_id = $1`, [bob.id]);
    await identify(pat.token, bob).expect(200);

    const other = await ann.createsOrganization('Other');
    await identify(token, ann, other).expect(404);
    const eve = await app.developer();
    await identify(token, eve).expect(403);
    for (const value of ['ag_prj_x', 'x', `${token.slice(0, -1)}!`]) await identify(value).expect(404);
    await identify('').expect(400);
  });
});
