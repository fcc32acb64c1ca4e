import { randomUUID } from 'node:crypto';
import type supertest from 'supertest';
import { type Bearer, Developer, type OrganizationRef, type ProjectRef, scope } from '../../support/actors/actors';
import { verifiedDeveloper } from '../../support/actors/tenant';
import { TestApp } from '../../support/app/test-app';
import { tableDigests } from '../../support/checks/table-digests';

/** A retry whose first attempt removed the caller's access gets the stored response; other callers get 403. */
describe('the Idempotency-Key of a caller without access', () => {
  let app: TestApp;
  let ann: Developer;
  let bob: Developer;
  let organization: OrganizationRef;
  let project: ProjectRef;
  let key: string;
  beforeAll(async () => {
    app = await TestApp.start({ worker: false, environment: { RATE_LIMIT_FACTOR: '0' } });
  });
  beforeEach(async () => {
    [ann, bob] = await Promise.all([verifiedDeveloper(app), verifiedDeveloper(app)]);
    organization = await ann.createsOrganization();
    project = await ann.createsProject(organization);
    key = randomUUID();
  });
  afterAll(() => app.stop());

  const pathOf = ({ id }: ProjectRef): string => `/projects/${id}?organization_id=${organization.id}`;
  const deletes = (who: Bearer, path = pathOf(project), sent = key): supertest.Test =>
    who.delete(path).set('Idempotency-Key', sent);

  const refuses = async (attempts: readonly (() => supertest.Test)[]): Promise<void> => {
    const before = await tableDigests(app);
    for (const attempt of attempts) {
      const { body, headers } = await attempt().expect(403);
      expect(body).toMatchObject({ error: 'permission_denied' });
      expect(headers['idempotency-replayed']).toBeUndefined();
    }
    expect(await tableDigests(app)).toEqual(before);
  };

  /** Makes a developer a member, or changes their roles. */
  const gives = (who: Developer, roles: string): Promise<unknown> =>
    app.sql(
      `INSERT INTO membership (organization_id, developer_id, roles, created_at) VALUES ($1, $2, $3, now())
       ON CONFLICT (organization_id, developer_id) DO UPDATE SET roles = excluded.roles`,
      [organization.id, who.id, roles],
    );

  // red when: the scope of the stored response omits the owner, the route, the path or the key
  it('replays nothing to another developer, on another path or route, or with another key', async () => {
    await deletes(ann).expect(204);
    expect((await deletes(ann).expect(204)).headers['idempotency-replayed']).toBe('true');
    const elsewhere = pathOf({ ...project, id: randomUUID() });
    await refuses([
      () => deletes(bob),
      () => deletes(ann, elsewhere),
      () => deletes(ann, pathOf(project), randomUUID()),
      () => deletes(ann, pathOf(project), 'no uuid'),
      () => ann.delete(pathOf(project)),
      () => ann.patch(pathOf(project), { name: 'again' }).set('Idempotency-Key', key),
      () => ann.get(pathOf(project)).set('Idempotency-Key', key),
    ]);
  });

  // red when: findResponse does not compare the age, so that a record is valid until it is pruned
  it.each([
    ['a day later', async () => app.clock.advance({ hours: 24, minutes: 1 })],
    ['after the record was pruned', async () => app.sql('DELETE FROM idempotency_record')],
  ])('replays nothing %s', async (_when, happens) => {
    await deletes(ann).expect(204);
    await happens();
    ann = await Developer.logIn(app.url, ann.email, ann.password);
    await refuses([() => deletes(ann)]);
  });

  // red when: ReplayAfterAccessLoss replays responses with a body
  it('replays no response with a body', async () => {
    await gives(bob, '{MANAGER}');
    const creates = (): supertest.Test =>
      bob
        .post(`/project-access-tokens?${scope(project)}`, { name: 'CI', role: 'VIEW_PROJECT' })
        .set('Idempotency-Key', key);
    await creates().expect(201);
    expect((await creates().expect(201)).headers['idempotency-replayed']).toBe('true');
    await app.sql('DELETE FROM membership WHERE developer_id = $1', [bob.id]);
    await refuses([creates]);
  });

  // red when: the guard lets a request with a stored response through to the handler
  it('has no effect again when the deleted project exists again', async () => {
    await gives(bob, '{MANAGER}');
    await deletes(bob).expect(204);
    await gives(bob, '{MEMBER}');
    await app.sql(
      `INSERT INTO project (id, organization_id, name, allow_any_bundle_id, created_at)
       VALUES ($1, $2, 'Back again', false, now())`,
      [project.id, organization.id],
    );
    const before = await tableDigests(app);
    expect((await deletes(bob).expect(204)).headers['idempotency-replayed']).toBe('true');
    expect(await tableDigests(app)).toEqual(before);
  });

  // red when: the replay comes before the credential is checked
  it('replays nothing without a valid credential', async () => {
    await deletes(ann).expect(204);
    await ann.post('/login/logout', {}).expect(204);
    await deletes(ann).expect(401);
  });
});
