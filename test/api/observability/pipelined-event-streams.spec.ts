import { once } from 'node:events';
import { type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { Metrics } from '#infra/metrics/metrics';
import { verifiedDeveloper } from '../../support/actors/tenant';
import { TestApp } from '../../support/app/test-app';
import { until } from '../../support/until';

describe('pipelined requests for event streams', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await TestApp.start({ worker: false });
  });
  afterAll(() => app.stop());

  const openStreams = async (): Promise<number> => {
    // The reading of a gauge is reused for five seconds.
    await app.clock.advance({ seconds: 5 });
    return Number(/^agate_event_streams (\d+)$/m.exec(await app.nest.get(Metrics).scrape())?.[1]);
  };

  // red when: closePipelinedResponses is not installed
  it('leave no open stream when their client disconnects', async () => {
    const ann = await verifiedDeveloper(app);
    const { id } = await ann.createsOrganization();
    const request = `GET /api/v1/events?organization_id=${id} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${ann.token}\r\n\r\n`;
    const server: Server = app.nest.getHttpServer();
    const accepted = once(server, 'connection') as Promise<[Socket]>;
    const client = connect(Number(new URL(app.url).port), '127.0.0.1', () => client.write(request.repeat(2)));
    await until(async () => (await openStreams()) === 2);
    const [socket] = await accepted;
    client.destroy();
    await until(() => socket.closed);
    expect(await openStreams()).toBe(0);
  });
});
