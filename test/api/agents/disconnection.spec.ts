import { type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Client } from 'pg';
import { createTenant, type Tenant } from '../../support/actors/tenant';
import { postMessage } from '../../support/agents/agent-clients';
import { TestApp } from '../../support/app/test-app';
import { until } from '../../support/until';

describe('an agent that disconnects', () => {
  let app: TestApp;
  let tenant: Tenant;
  let owner: Client;
  beforeAll(async () => {
    app = await TestApp.start({ worker: false });
    tenant = await createTenant(app);
    owner = new Client({ connectionString: app.database.ownerUrl });
    await owner.connect();
  });
  afterAll(async () => {
    await owner.end();
    await app.stop();
  });

  const call = (name: string, input: object, signal: AbortSignal): Promise<unknown> => {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } };
    const headers = { Authorization: `Bearer ${tenant.projectToken.token}`, 'X-Agate-Toolsets': 'read,write' };
    return postMessage(app, JSON.stringify(message), headers, signal);
  };
  /** Disconnects an agent whose tool waits for a lock. @returns the response of the request that the tool has sent to the API. */
  const disconnectsDuring = async (name: string, input: object, path: string): Promise<ServerResponse> => {
    let [outer, inner]: (ServerResponse | undefined)[] = [];
    const server: Server = app.nest.getHttpServer();
    const onRequest = ({ url = '' }: IncomingMessage, sent: ServerResponse): void => {
      if (url === '/mcp') outer = sent;
      if (url.startsWith(path)) inner = sent;
    };
    server.on('request', onRequest);
    const agent = new AbortController();
    const called = call(name, input, agent.signal).catch((error: unknown) => error);
    await until(() => inner);
    server.off('request', onRequest);
    agent.abort(new Error('gone'));
    expect(await called).toMatchObject({ message: 'gone' });
    await until(() => outer!.destroyed);
    return inner!;
  };
  const block = async (): Promise<void> => {
    await owner.query('BEGIN');
    await owner.query('LOCK TABLE build IN ACCESS EXCLUSIVE MODE');
  };

  // red when: the request of the tool does not end, so that it waits for the database in vain
  it('ends the request of a tool that reads', async () => {
    await block();
    const response = await disconnectsDuring('list_builds', {}, '/api/v1/builds');
    await until(() => response.destroyed);
    expect(response.writableEnded).toBe(false);
    await owner.query('ROLLBACK');
  });

  // red when: a request that changes something ends with its connection, too
  it('does not end the request of a tool that changes something', async () => {
    const build = tenant.build.id;
    await block();
    const response = await disconnectsDuring(
      'update_notes',
      { build_id: build, notes: 'New' },
      `/api/v1/builds/${build}`,
    );
    await owner.query('ROLLBACK');
    await until(() => response.destroyed);
    expect([response.statusCode, response.writableFinished]).toEqual([200, true]);
  });
});
