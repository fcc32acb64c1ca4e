import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { OutgoingAgents } from './outgoing-agents';
import { plainRequest } from './plain-request';
import { withTimeLimit } from './time-limit';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

describe('withTimeLimit', () => {
  // red when: the signal is AbortSignal.any([signal, AbortSignal.timeout(300)])
  it('ends a request without a response, also after a garbage collection', async () => {
    const server = createServer(() => undefined).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const agents = new OutgoingAgents({});
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const collections = setInterval(collectGarbage, 20);
    const sent = withTimeLimit(new AbortController().signal, 300, (limited) =>
      plainRequest(agents, 'GET', url, limited),
    );
    await expect(sent).rejects.toMatchObject({ code: 'ABORT_ERR' });
    clearInterval(collections);
    agents.close();
    server.closeAllConnections();
    server.close();
  });

  it('ends with the other signal, also with one that is aborted already', async () => {
    const controller = new AbortController();
    const reason = new Error('The process stops');
    const waiting = (limited: AbortSignal): Promise<never> =>
      new Promise((_, reject) => {
        const end = (): void => reject(limited.reason as Error);
        limited.addEventListener('abort', end);
        if (limited.aborted) end();
      });
    const first = withTimeLimit(controller.signal, 60_000, waiting);
    controller.abort(reason);
    await expect(first).rejects.toBe(reason);
    await expect(withTimeLimit(controller.signal, 60_000, waiting)).rejects.toBe(reason);
  });
});
