import { spawn } from 'node:child_process';
import { createServer, request, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { createTenant } from '../support/actors/tenant';
import { TestApp } from '../support/app/test-app';

/** The scenarios of the suite for servers that need no tools of its own. It covers the revisions of 2025, and needs a later Node. */
const SCENARIOS = ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection'];
const PACKAGES = ['-p', 'node@24', '-p', '@modelcontextprotocol/conformance@0.1.16'];

/** The first run downloads the packages. */
const DOWNLOAD_MS = 300_000;

describe('the conformance suite of the Model Context Protocol', () => {
  let app: TestApp;
  let door: Server;
  let address: string;
  beforeAll(async () => {
    // The suite cannot send a token. It is added here; Host, Origin and all else pass unchanged.
    let token = '';
    door = createServer((incoming, outgoing) => {
      const { method, url, headers } = incoming;
      const { port } = app.nest.getHttpServer().address() as AddressInfo;
      const passed = request({ port, method, path: url, headers: { ...headers, authorization: `Bearer ${token}` } });
      passed.once('response', (response) => {
        outgoing.writeHead(response.statusCode ?? 502, response.headers);
        response.pipe(outgoing);
      });
      passed.once('error', () => outgoing.destroy());
      incoming.pipe(passed);
    });
    await new Promise<void>((resolve) => door.listen(0, 'localhost', resolve));
    address = `http://localhost:${(door.address() as AddressInfo).port}`;
    app = await TestApp.start({ environment: { BASE_URL: address } });
    token = (await createTenant(app)).projectToken.token;
  });
  afterAll(async () => {
    door?.closeAllConnections();
    door?.close();
    await app?.stop();
  });

  const run = (scenario: string): Promise<{ code: number | null; output: string }> =>
    new Promise((resolve, reject) => {
      const command = `conformance server --url ${address}/mcp --scenario ${scenario}`;
      const child = spawn('npx', ['-y', ...PACKAGES, '-c', command], { stdio: ['ignore', 'pipe', 'pipe'] });
      let output = '';
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (text: Buffer) => (output += text.toString()));
      child.once('error', reject);
      child.once('close', (code) => resolve({ code, output }));
    });

  // red when: rejectForeignSites compares neither Origin nor Host
  it.each(SCENARIOS)(
    'passes in the scenario %s',
    async (scenario) => {
      const { code, output } = await run(scenario);
      expect([code, output]).toEqual([0, expect.stringMatching(/Passed: [1-9]/)]);
    },
    DOWNLOAD_MS,
  );
});
