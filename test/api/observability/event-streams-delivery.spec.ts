import { type AuditEventType } from '#kernel/audit/audit-event';
import { newId } from '#kernel/ids';
import { type AppRequest } from '#infra/http/request/app-request';
import { Viewers } from '../../../src/modules/events/streams/viewers';
import { type Developer, type OrganizationRef, type ProjectRef, scope } from '../../support/actors/actors';
import { verifiedDeveloper } from '../../support/actors/tenant';
import { TestApp } from '../../support/app/test-app';
import { EventStreamClient } from '../../support/load/event-stream-client';
import { until } from '../../support/until';

describe('the delivery of events to a stream', () => {
  let app: TestApp;
  let ann: Developer;
  /** A member of the organization, who sees its projects. */
  let eve: Developer;
  let organization: OrganizationRef;
  let project: ProjectRef;
  let viewers: Viewers;
  const clients: EventStreamClient[] = [];
  beforeAll(async () => {
    app = await TestApp.start();
    ann = await app.developer();
    viewers = app.nest.get(Viewers);
  });
  beforeEach(async () => {
    organization = await ann.createsOrganization();
    project = await ann.createsProject(organization);
    eve = await verifiedDeveloper(app);
    await app.sql('INSERT INTO membership VALUES ($1, $2, $3, now())', [organization.id, eve.id, ['READ']]);
  });
  afterEach(() => {
    jest.restoreAllMocks();
    clients.splice(0).forEach((client) => client.close());
  });
  afterAll(() => app.stop());

  const opens = async ({ token }: Developer, parameters = ''): Promise<EventStreamClient> => {
    const target = { url: app.url, headers: { Authorization: `Bearer ${token}` } };
    const client = await EventStreamClient.open(target, organization.id, parameters);
    clients.push(client);
    await until(() => client.lastEventId !== '');
    return client;
  };
  /** Records events of a type in one transaction. */
  const records = (count: number, type: AuditEventType, payload = {}): Promise<unknown> =>
    app.sql(
      `INSERT INTO audit_event (id, organization_id, type, actor_kind, request_id, payload, time)
       SELECT gen_random_uuid(), $1, $2, 'system', 'test', $4, app_now() FROM generate_series(1, $3)`,
      [organization.id, type, count, payload],
    );
  const leaves = (): PromiseLike<unknown> =>
    ann.delete(`/organizations/${organization.id}/members/${eve.id}`).expect(204);

  // red when: each change of access is checked
  it('checks access once when it opens and once for all changes of access that a look finds', async () => {
    await records(200, 'member.joined');
    const checks = jest.spyOn(viewers, 'again');
    const stream = await opens(ann, '&recent_seconds=60');
    await until(() => stream.types.filter((type) => type === 'member.joined').length === 200);
    expect(checks).toHaveBeenCalledTimes(1);
    await records(50, 'member.joined');
    await until(() => stream.types.filter((type) => type === 'member.joined').length === 250);
    expect(checks).toHaveBeenCalledTimes(2);
  });

  // red when: all events are written in one turn of the event loop
  it('sends 450 recent events, of more than 64 KiB, to a client that reads', async () => {
    const ids = { build_id: newId(), channel_id: newId(), release_id: newId() };
    await records(450, 'member.joined', ids);
    const stream = await opens(ann, '&recent_seconds=60');
    await until(() => stream.hasEnded || stream.types.filter((type) => type === 'member.joined').length === 450);
    expect(stream.hasEnded).toBe(false);
    expect(stream.text.length).toBeGreaterThan(64 * 1024);
  });

  // red when: only as many recent events are searched as a stream sends
  it('begins with resync when more than 500 events are recent', async () => {
    await records(501, 'member.joined');
    const stream = await opens(ann, '&recent_seconds=60');
    await until(() => stream.events.length > 0);
    expect(stream.types).toEqual(['resync']);
  });

  describe('continues for the other callers while the access of one cannot be checked', () => {
    let broken = false;
    let annStream: EventStreamClient;
    let eveStream: EventStreamClient;
    beforeEach(async () => {
      annStream = await opens(ann);
      eveStream = await opens(eve);
      const again = viewers.again.bind(viewers);
      jest.spyOn(viewers, 'again').mockImplementation((execution, id) => {
        const { authorization } = execution.switchToHttp().getRequest<AppRequest>().headers;
        const fails = broken && authorization === `Bearer ${eve.token}`;
        return fails ? Promise.reject(new Error('The pool is busy')) : again(execution, id);
      });
      broken = true;
    });
    const logged = (): number => app.logLines.filter((line) => line.includes('The pool is busy')).length;

    // red when: a failed check ends the look
    it('after a change of access', async () => {
      const before = logged();
      await records(3, 'member.joined');
      await until(() => annStream.events.length === 3);
      await app.clock.advance({ seconds: 20 });
      await until(() => annStream.text.includes(': heartbeat\n'));
      await records(1, 'organization.updated');
      await annStream.receives('organization.updated');
      expect([eveStream.types, logged()]).toEqual([[], before + 1]);
      broken = false;
      await eveStream.receives('organization.updated');
      const all = ['member.joined', 'member.joined', 'member.joined', 'organization.updated'];
      expect([annStream.types, eveStream.types]).toEqual([all, all]);
    });

    // red when: events are sent to the caller whose regular check failed
    it('after 45 seconds', async () => {
      const before = logged();
      await app.clock.advance({ seconds: 45 });
      await until(() => logged() > before);
      await ann.post(`/testers?${scope(project)}`, { email: 'tess@example.com', name: 'Tess' }).expect(201);
      await annStream.receives('tester.created');
      expect(eveStream.types).toEqual([]);
      broken = false;
      await eveStream.receives('tester.created');
    });
  });

  describe('ends when the caller loses access', () => {
    /** The next check returns the access that the caller had before they left. */
    const leavesDuringCheck = (): void => {
      const again = viewers.again.bind(viewers);
      jest.spyOn(viewers, 'again').mockImplementationOnce(async (...request) => {
        const viewer = await again(...request);
        await leaves();
        return viewer;
      });
    };
    const expectEnd = async (stream: EventStreamClient): Promise<void> => {
      expect((await stream.receives('closing')).data['reason']).toBe('access');
    };

    // red when: the head is read after the check
    it('while the stream opens', async () => {
      leavesDuringCheck();
      await expectEnd(await opens(eve));
    });

    // red when: a check is taken to include changes after the head that was read before it
    it('during another check', async () => {
      const stream = await opens(eve);
      leavesDuringCheck();
      await records(1, 'member.joined');
      await expectEnd(stream);
    });

    // red when: a stream that gets resync is not checked
    it('in a backlog that is too large to be sent', async () => {
      const stream = await opens(eve);
      await app.sql('DELETE FROM membership WHERE developer_id = $1', [eve.id]);
      await records(501, 'build.uploaded');
      await expectEnd(stream);
      expect(stream.types).toEqual(['closing']);
    });
  });
});
