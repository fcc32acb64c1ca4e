import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { closePipelinedResponses } from './pipelined-responses';

describe('closePipelinedResponses', () => {
  let server: Server;
  let client: Socket;
  let responses: ServerResponse[];
  let closed: boolean[];
  beforeEach(async () => {
    [responses, closed] = [[], []];
    server = createServer((_request, response) => {
      responses.push(response);
      response.on('close', () => closed.push(response.writableFinished));
    }).listen(0, '127.0.0.1');
    closePipelinedResponses(server);
    await once(server, 'listening');
    client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    client.resume();
  });
  afterEach(() => {
    client.destroy();
    server.close();
  });

  /** Sends requests together, without waiting for responses, until the server has them. */
  const pipeline = async (requests: number): Promise<void> => {
    const all = responses.length + requests;
    client.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(requests));
    while (responses.length < all) await new Promise((resolve) => setImmediate(resolve));
  };
  const disconnects = async (): Promise<void> => {
    const socketClosed = new Promise((resolve) => responses[0]!.req.socket.once('close', resolve));
    client.destroy();
    await socketClosed;
  };

  // red when: it is not installed
  it('closes all responses when the client disconnects', async () => {
    await pipeline(3);
    expect(closed).toEqual([]);
    await disconnects();
    expect(closed).toEqual([false, false, false]);
    expect(responses.map(({ destroyed }) => destroyed)).toEqual([true, true, true]);
  });

  // red when: the listeners of responses that are sent stay on the connection, so that they are closed twice
  it('closes each response once', async () => {
    await pipeline(2);
    const sent = once(responses[0]!, 'close');
    responses[0]!.end();
    await sent;
    await disconnects();
    expect(closed).toEqual([true, false]);
  });

  // red when: each request adds a listener that stays, or Node warns of them
  it('leaves no listener on a connection whose responses were sent', async () => {
    const warned = jest.fn();
    process.on('warning', warned);
    await pipeline(1);
    const { socket } = responses[0]!.req;
    const listeners = socket.listenerCount('close');
    await pipeline(20);
    expect(socket.listenerCount('close')).toBe(listeners + 20);
    const sent = responses.map((response) => once(response, 'close'));
    for (const response of responses) response.end();
    await Promise.all(sent);
    expect(socket.listenerCount('close')).toBeLessThanOrEqual(listeners);
    process.off('warning', warned);
    expect(warned).not.toHaveBeenCalled();
  });
});
