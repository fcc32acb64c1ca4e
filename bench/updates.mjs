// Measures the check of an installed app and the feed of electron-updater against the install page of the same build.
// npm run bench updates [-- rounds]
import { Agent, get } from 'node:http';
import { ensureBuilt } from '../scripts/support/builds.mjs';
import { compare, REQUESTS } from './measure.mjs';
import { startService } from './real-service.mjs';
import { closeConnections, upload } from './transfer.mjs';

const REQUESTS_PER_ROUND = 1600;
const CLIENTS = 16;

const rounds = Number(process.argv[2] ?? 7);
const agent = new Agent({ keepAlive: true });

/** Sends a request. @returns its ETag. */
const request = ({ port, path, headers, status }) =>
  new Promise((resolve, reject) => {
    get({ port, host: '127.0.0.1', path, agent, headers }, (incoming) => {
      incoming.resume().on('end', () => {
        if (incoming.statusCode === status) resolve(incoming.headers.etag);
        else reject(new Error(`${path}: ${incoming.statusCode}`));
      });
    }).on('error', reject);
  });

async function requests(server) {
  let left = REQUESTS_PER_ROUND;
  const client = async () => {
    while (left-- > 0) await request(server);
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return REQUESTS_PER_ROUND;
}

await ensureBuilt();
const service = await startService();
try {
  const build = JSON.parse(await upload(service, 1000));
  const { url } = await service.post('/update-keys', { platform: build.platform });
  const { pathname: check } = new URL(url);
  const to = (name, path, more = {}) => ({ ...service, name, path, headers: {}, status: 200, ...more });
  const query = `${check}?version=0.9.0&build=1`;
  const etag = await request(to('first', query));
  const running = new URLSearchParams({ version: build.version, build: build.build_number ?? '', install_id: 'bench' });
  const servers = [
    to('install page', new URL(build.install_url).pathname),
    to('check', query),
    to('check, 304', query, { headers: { 'if-none-match': etag }, status: 304 }),
    to('check, counted', `${check}?${running}`),
    to('latest-linux.yml', `${check}/latest-linux.yml`),
    to('malformed key', `/updates/ag_upd_${'0'.repeat(49)}`, { status: 404 }),
  ];
  await compare(`Checks for updates, ${CLIENTS} clients`, servers, rounds, requests, REQUESTS);
} finally {
  agent.destroy();
  closeConnections();
  await service.stop();
}
