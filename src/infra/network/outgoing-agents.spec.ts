import dns from 'node:dns';
import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import { request as secureRequest } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer } from 'node:net';
import { AllowedHosts } from './allowed-hosts';
import { OutgoingAgents, type OutgoingOptions } from './outgoing-agents';

/** Notations of loopback, private and other non-public addresses, including ones that only look public. */
const NON_PUBLIC_ADDRESSES = [
  ...['127.0.0.1', '127.1', '127.0.1', '127.000.000.001', '0x7f000001', '0x7f.0.0.1', '2130706433', '017700000001'],
  ...['0177.0.0.1', '0', '0.0.0.0', '127.127.127.127', '127.0.0.1.', 'localhost', 'LOCALHOST', 'localhost.'],
  ...['[::1]', '[::]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[0:0:0:0:0:0:0:1]', '[::127.0.0.1]'],
  ...['[64:ff9b::127.0.0.1]', '[2002:7f00:1::]', '[fe80::1]', '[fd00::1]', '①②⑦.⓪.⓪.①', '127。0。0。1'],
  ...['10.0.0.1', '172.16.0.1', '192.168.1.1', '169.254.169.254', '100.100.100.200', '192.0.0.192', '168.63.129.16'],
  ...['[fd00:ec2::254]', '198.18.0.1', '240.0.0.1', '255.255.255.255', '224.0.0.1'],
];

describe('OutgoingAgents', () => {
  let canary: Server;
  let port: number;
  let hits = 0;
  const opened: OutgoingAgents[] = [];
  beforeAll(async () => {
    canary = createServer((_request, response) => {
      hits += 1;
      response.end('inside');
    }).listen(0, '127.0.0.1');
    canary.on('connection', () => (hits += 1));
    await once(canary, 'listening');
    port = (canary.address() as AddressInfo).port;
  });
  beforeEach(() => (hits = 0));
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => {
    for (const agents of opened) agents.close();
    canary.closeAllConnections();
    canary.close();
  });

  const open = (options: OutgoingOptions): OutgoingAgents => {
    const agents = new OutgoingAgents(options);
    opened.push(agents);
    return agents;
  };
  const ask = (agents: OutgoingAgents, url: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const send = url.startsWith('https:') ? secureRequest : request;
      send(url, { agent: agents.agentFor(url) }, (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => (text += chunk.toString())).on('end', () => resolve(text));
      })
        .on('error', reject)
        .end();
    });

  it('connects to any address when no destinations are configured', async () => {
    expect(await ask(open({}), `http://127.0.0.1:${port}`)).toBe('inside');
  });

  // red when: literal addresses are not checked, or resolved addresses are not
  it.each(NON_PUBLIC_ADDRESSES)('never connects to %s', async (host) => {
    const agents = open({ allowed: new AllowedHosts([]) });
    for (const scheme of ['http', 'https']) {
      await expect(ask(agents, `${scheme}://${host}:${port}/`)).rejects.toMatchObject({
        code: expect.stringMatching(/^(EADDRREFUSED|ENOTFOUND|EAI_AGAIN)$/) as string,
      });
    }
    expect(hits).toBe(0);
  });

  it('connects only to the addresses that it checked, even if DNS changes in between', async () => {
    const answers = ['127.0.0.2', '127.0.0.1'];
    const lookup = jest.spyOn(dns, 'lookup') as unknown as jest.Mock;
    lookup.mockImplementation((_host: string, _options: object, found: (e: null, list: object[]) => void) =>
      found(null, [{ address: answers.shift() ?? '127.0.0.1', family: 4 }]),
    );
    const agents = open({ allowed: new AllowedHosts(['127.0.0.2']) });
    // The first address is allowed, so the connection goes there (and fails, as nothing listens), never to the second.
    const refused = { code: 'ECONNREFUSED', address: '127.0.0.2' };
    await expect(ask(agents, `https://rebinding.example:${port}/`)).rejects.toMatchObject(refused);
    await expect(ask(agents, `https://rebinding.example:${port}/`)).rejects.toMatchObject({ code: 'EADDRREFUSED' });
    expect(lookup).toHaveBeenCalledTimes(2);
    expect(hits).toBe(0);
  });

  it('rejects a name that resolves to public and private addresses', async () => {
    (jest.spyOn(dns, 'lookup') as unknown as jest.Mock).mockImplementation(
      (_host: string, _options: object, found: (e: null, list: object[]) => void) =>
        found(null, [
          { address: '8.8.8.8', family: 4 },
          { address: '127.0.0.1', family: 4 },
        ]),
    );
    const agents = open({ allowed: new AllowedHosts([]) });
    await expect(ask(agents, `https://mixed.example:${port}/`)).rejects.toMatchObject({ code: 'EADDRREFUSED' });
    expect(hits).toBe(0);
  });

  it('connects to exempt hosts', async () => {
    expect(await ask(open({ allowed: new AllowedHosts(['localhost']) }), `http://localhost:${port}`)).toBe('inside');
    expect(await ask(open({ allowed: new AllowedHosts(['127.0.0.0/8']) }), `http://127.0.0.1:${port}`)).toBe('inside');
  });

  describe('with a server that never responds', () => {
    let silent: TcpServer;
    beforeAll(async () => {
      silent = createTcpServer(() => undefined).listen(0, '127.0.0.1');
      await once(silent, 'listening');
    });
    afterAll(() => silent.close());

    // red when: an idle connection has a code that the SDKs of the stores retry
    it('times out an idle connection and a TLS handshake', async () => {
      const at = `127.0.0.1:${(silent.address() as AddressInfo).port}`;
      await expect(ask(open({ idleMs: 50 }), `http://${at}`)).rejects.toMatchObject({ code: 'ESILENT' });
      await expect(ask(open({ connectMs: 50 }), `https://${at}`)).rejects.toMatchObject({ code: 'ETIMEDOUT' });
    });
  });
});
