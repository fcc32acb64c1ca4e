import { type OrganizationRole, type PatScope, type ProjectRole } from '#kernel/access/roles';
import { Readiness } from '#infra/lifecycle/readiness';
import { Developer, type OrganizationRef, type ProjectRef, scope } from '../../support/actors/actors';
import { verifiedDeveloper } from '../../support/actors/tenant';
import { TestApp } from '../../support/app/test-app';
import { ipa } from '../../support/artifacts/valid-artifacts';
import { EventStreamClient } from '../../support/load/event-stream-client';
import { until } from '../../support/until';

const bearer = (token: string): Record<string, string> => ({ Authorization: `Bearer ${token}` });

describe('an event stream', () => {
  let app: TestApp;
  /** A second process of the installation. */
  let other: TestApp;
  let ann: Developer;
  let organization: OrganizationRef;
  let project: ProjectRef;
  const clients: EventStreamClient[] = [];
  beforeAll(async () => {
    app = await TestApp.start();
    other = await TestApp.start({ beside: app, worker: false });
    ann = await app.developer();
    organization = await ann.createsOrganization();
    project = await ann.createsProject(organization);
  });
  afterEach(() => clients.splice(0).forEach((client) => client.close()));
  afterAll(async () => {
    await other.stop();
    await app.stop();
  });

  const opens = async (
    headers: Readonly<Record<string, string>>,
    { url = app.url, id = organization.id, parameters = '' } = {},
  ): Promise<EventStreamClient> => {
    const client = await EventStreamClient.open({ url, headers }, id, parameters);
    clients.push(client);
    if (client.response.statusCode === 200) await until(() => client.lastEventId !== '');
    return client;
  };
  const joins = async (roles: readonly OrganizationRole[], role: ProjectRole | null = null): Promise<Developer> => {
    const member = await verifiedDeveloper(app);
    await app.sql('INSERT INTO membership VALUES ($1, $2, $3, now())', [organization.id, member.id, roles]);
    const values = [organization.id, project.id, member.id, role];
    if (role) await app.sql('INSERT INTO project_membership VALUES ($1, $2, $3, $4)', values);
    return member;
  };
  /** Makes a change that every member sees, and waits until the streams have passed it. */
  const passesAll = async (...streams: readonly EventStreamClient[]): Promise<void> => {
    await ann.patch(`/organizations/${organization.id}`, { name: `Renamed ${Math.random()}` }).expect(200);
    await Promise.all(streams.map((stream) => stream.receives('organization.updated')));
  };

  it('receives the changes of another process, as type and ids only', async () => {
    const stream = await opens({ Cookie: `dfdeveloper=${ann.token}` });
    expect(stream.response.statusCode).toBe(200);
    expect(stream.response.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    });
    const created = { email: 'tess@example.com', name: 'Tess' };
    const { body } = await ann
      .request('post', `/testers?${scope(project)}`)
      .send(created)
      .expect(201);
    await ann.uploads(project, { bytes: ipa(), fileName: 'Demo.ipa' });
    await other
      .ci(ann.token)
      .patch(`/projects/${project.id}?organization_id=${organization.id}`, { name: 'Secret' })
      .expect(200);
    expect((await stream.receives('tester.created')).data).toEqual({
      type: 'tester.created',
      project_id: project.id,
      tester_id: (body as { id: string }).id,
    });
    expect(Object.keys((await stream.receives('build.uploaded')).data)).toEqual(['type', 'project_id', 'build_id']);
    expect((await stream.receives('project.updated')).event).toBe('message');
    // red when: the payload of the audit event is sent
    expect(stream.text).not.toMatch(/tess|Tess|Secret|@/);
  });

  it('sends one resync when events were missed, and none otherwise', async () => {
    const first = await opens(bearer(ann.token));
    await passesAll(first);
    const missed = first.lastEventId;
    const current = await opens({ ...bearer(ann.token), 'Last-Event-ID': missed }, { url: other.url });
    await passesAll(current);
    expect(current.types).toEqual(['organization.updated']);
    for (const lastEventId of [missed, 'nonsense', '999999']) {
      const late = await opens({ ...bearer(ann.token), 'Last-Event-ID': lastEventId });
      await passesAll(late);
      expect(late.types).toEqual(['resync', 'organization.updated']);
      expect(late.events[0]!.event).toBe('resync');
    }
  });

  // red when: a change between the reading of a list and the opening of the stream is never seen
  it('begins with the events of the last seconds on request, unless the client continues a stream', async () => {
    await app.clock.advance({ minutes: 2 });
    const id = (await ann.createsOrganization()).id;
    await ann.patch(`/organizations/${id}`, { name: 'Before' }).expect(200);
    await app.clock.advance({ minutes: 2 });
    await ann.createsProject({ id });
    const stream = await opens(bearer(ann.token), { id, parameters: '&recent_seconds=60' });
    await stream.receives('project.created');
    expect(stream.types).not.toContain('organization.updated');
    const lastEventId = stream.lastEventId;
    const others = [
      await opens(bearer(ann.token), { id }),
      await opens({ ...bearer(ann.token), 'Last-Event-ID': lastEventId }, { id, parameters: '&recent_seconds=60' }),
    ];
    await ann.patch(`/organizations/${id}`, { name: 'After' }).expect(200);
    for (const other of others) {
      await other.receives('organization.updated');
      expect(other.types).toEqual(['organization.updated']);
    }
    const path = `/events?organization_id=${id}&recent_seconds=`;
    for (const value of ['61', '-1', 'x']) await ann.get(path + value).expect(400);
  });

  it('sends one resync instead of a large backlog', async () => {
    const stream = await opens(bearer(ann.token));
    await app.sql(
      `INSERT INTO audit_event (id, organization_id, type, actor_kind, request_id, payload, time)
       SELECT gen_random_uuid(), $1, 'member.joined', 'system', 'test', '{}', now() FROM generate_series(1, 501)`,
      [organization.id],
    );
    await stream.receives('resync');
    await passesAll(stream);
    expect(stream.types).toEqual(['resync', 'organization.updated']);
  });

  it('shows each caller only what they may read', async () => {
    const patOf = async (owner: Developer, ...scopes: PatScope[]): Promise<string> => {
      const draft = { name: 'Script', scopes: ['organization:read', ...scopes] };
      const { body } = await owner.post(`/pats?organization_id=${organization.id}`, draft).expect(201);
      return (body as { token: string }).token;
    };
    const [outsider, viewer, uploader, auditor] = await Promise.all([
      joins(['MEMBER']),
      joins(['MEMBER'], 'VIEW_PROJECT'),
      joins(['MEMBER'], 'UPLOAD_BUILD'),
      joins(['AUDITOR']),
    ]);
    const tokens = [outsider, viewer, uploader, auditor, ann].map(({ token }) => token);
    tokens.push(await patOf(ann, 'channels:read'));
    const streams = [];
    for (const token of tokens) streams.push(await opens(bearer(token)));
    await ann.changesPlan(organization, 'business');
    await ann.createsChannel(project);
    await ann.createsToken(project);
    const invitation = { email: 'guest@example.com', roles: ['MEMBER'] };
    await ann.post(`/organizations/${organization.id}/invitations`, invitation).expect(201);
    await passesAll(...streams);
    const all = ['billing.plan_changed', 'channel.created', 'project_access_token.created', 'member.invited'];
    const end = 'organization.updated';
    // red when: AUDIENCES is ignored, or a scope is not checked
    expect(streams.map(({ types }) => types)).toEqual([
      [end],
      ['channel.created', end],
      ['channel.created', 'project_access_token.created', end],
      [...all, end],
      [...all, end],
      ['channel.created', end],
    ]);
  });

  it('applies a changed project role immediately, and does not show other projects', async () => {
    const eve = await joins(['MEMBER']);
    const stream = await opens(bearer(eve.token));
    const member = `/projects/${project.id}/members/${eve.id}?organization_id=${organization.id}`;
    const channel = await ann.createsChannel(project);
    await ann.request('put', member).send({ role: 'VIEW_PROJECT' }).expect(200);
    await stream.receives('project_member.changed');
    await ann.patch(`/channels/${channel.id}?${scope(project)}`, { name: 'Seen' }).expect(200);
    await stream.receives('channel.updated');
    await ann.delete(member).expect(204);
    await ann.delete(`/channels/${channel.id}?${scope(project)}`).expect(204);
    await passesAll(stream);
    expect(stream.types).toEqual([
      'project_member.changed',
      'channel.updated',
      'project_member.removed',
      'organization.updated',
    ]);
  });

  it('shows the deletion of a project to callers who could see it', async () => {
    const doomed = await ann.createsProject(organization);
    const stream = await opens(bearer(ann.token));
    await ann.delete(`/projects/${doomed.id}?organization_id=${organization.id}`).expect(204);
    expect((await stream.receives('project.deleted')).data['project_id']).toBe(doomed.id);
  });

  it('ends when the caller leaves the organization', async () => {
    const eve = await joins(['READ']);
    const stream = await opens(bearer(eve.token));
    await ann.delete(`/organizations/${organization.id}/members/${eve.id}`).expect(204);
    expect((await stream.receives('closing')).data).toEqual({ type: 'closing', reason: 'access' });
    await until(() => stream.hasEnded);
  });

  // red when: only the passing of time or the end of the access token leads to a check
  describe('ends on the next look, without a later event,', () => {
    const patOf = async (owner: Developer): Promise<{ id: string; token: string }> => {
      const draft = { name: 'Script', scopes: ['organization:read'] };
      const { body } = await owner.post(`/pats?organization_id=${organization.id}`, draft).expect(201);
      return body as { id: string; token: string };
    };
    const endsAfter = async (stream: EventStreamClient, change: () => PromiseLike<unknown>): Promise<void> => {
      await passesAll(stream);
      await change();
      // An event after which access is not checked again.
      await ann.patch(`/projects/${project.id}?organization_id=${organization.id}`, { language: 'de' }).expect(200);
      expect((await stream.receives('closing')).data).toEqual({ type: 'closing', reason: 'credential' });
      await until(() => stream.hasEnded);
      expect(stream.types).toEqual(['organization.updated', 'closing']);
    };

    it('when the caller logs out', async () => {
      const eve = await joins(['READ']);
      await endsAfter(await opens(bearer(eve.token)), () => eve.post('/login/logout').expect(204));
    });

    it('when the caller ends the session from another one', async () => {
      const eve = await joins(['READ']);
      const elsewhere = await Developer.logIn(app.url, eve.email, eve.password);
      const stream = await opens(bearer(eve.token));
      const { body } = await elsewhere.get('/developers/me/sessions').expect(200);
      const { items } = body as { items: { id: string; current: boolean }[] };
      const { id } = items.find(({ current }) => !current)!;
      await endsAfter(stream, () => elsewhere.delete(`/developers/me/sessions/${id}`).expect(204));
    });

    it('when the account is suspended', async () => {
      const eve = await joins(['READ']);
      const suspend = 'UPDATE developer SET suspended_at = app_now() WHERE id = $1';
      await endsAfter(await opens(bearer(eve.token)), () => app.sql(suspend, [eve.id]));
    });

    it('when the caller changes the password', async () => {
      const eve = await joins(['READ']);
      const change = { current_password: eve.password, new_password: 'another long password 1' };
      await endsAfter(await opens(bearer(eve.token)), () => eve.post('/developers/me/password', change).expect(204));
    });

    it.each([
      [
        'revoked',
        (eve: Developer, id: string) => eve.delete(`/pats/${id}?organization_id=${organization.id}`).expect(204),
      ],
      [
        'rotated',
        (eve: Developer, id: string) => eve.post(`/pats/${id}/rotate?organization_id=${organization.id}`).expect(200),
      ],
    ])('when the personal access token is %s', async (_name, change) => {
      const eve = await joins(['READ']);
      const { id, token } = await patOf(eve);
      await endsAfter(await opens(bearer(token)), () => change(eve, id));
    });
  });

  it('ends when the access token expires', async () => {
    const { exp } = JSON.parse(Buffer.from(ann.token.split('.')[1]!, 'base64url').toString()) as { exp: number };
    const stream = await opens(bearer(ann.token));
    // Access has just been checked; the token expires two seconds later.
    await app.clock.advance({ seconds: exp - app.clock.now().getTime() / 1000 - 2 });
    await app.clock.advance({ seconds: 4 });
    expect((await stream.receives('closing')).data['reason']).toBe('credential');
    ann.token = (await Developer.logIn(app.url, ann.email, ann.password)).token;
  });

  it('carries a heartbeat at least every 20 seconds', async () => {
    const stream = await opens(bearer(ann.token));
    expect(stream.text).not.toContain('heartbeat');
    await app.clock.advance({ seconds: 20 });
    await until(() => stream.text.includes(': heartbeat\n'));
  });

  it('survives an outage of the database and misses nothing', async () => {
    const stream = await opens(bearer(ann.token));
    await app
      .sql(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
      )
      .catch(() => undefined);
    await until(async () => (await ann.patch(`/organizations/${organization.id}`, { name: 'Back' })).status === 200);
    await stream.receives('organization.updated');
    expect(stream.hasEnded).toBe(false);
  });

  it('is limited to ten for a developer, with any of their credentials', async () => {
    const eve = await joins(['READ']);
    for (let count = 0; count < 10; count++) expect((await opens(bearer(eve.token))).response.statusCode).toBe(200);
    const refused = await opens(bearer(eve.token));
    expect([refused.response.statusCode, refused.response.headers['retry-after']]).toEqual([429, '15']);
    clients[clients.length - 2]!.close();
    await until(async () => (await opens(bearer(eve.token))).response.statusCode === 200);
  });

  it('has no body for HEAD', async () => {
    const response = await ann.request('head', `/events?organization_id=${organization.id}`).expect(200);
    expect(response.headers['content-type']).toContain('text/event-stream');
  });

  it('ends immediately when the process drains', async () => {
    const stream = await opens(bearer(ann.token), { url: other.url });
    other.nest.get(Readiness).drain();
    expect((await stream.receives('closing')).data).toEqual({ type: 'closing', reason: 'shutdown' });
    await until(() => stream.hasEnded);
    const late = await opens(bearer(ann.token), { url: other.url });
    await late.receives('closing');
  });
});
