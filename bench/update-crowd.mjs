// Measures whether addresses that request updates and read no byte stop the updates of others.
// npm run bench update-crowd
//
// One service, an update key, and credit for two hundred downloads. Twenty clients update the app, first alone, then after forty
// addresses of one IPv6 /48 and forty IPv4 addresses each requested the package and read nothing. Prints the statuses and the median
// times; exits with 1 when an update fails.
import { Agent, get } from 'node:http';
import { fileURLToPath } from 'node:url';
import { ensureBuilt } from '../scripts/support/builds.mjs';
import { startService } from './real-service.mjs';
import { closeConnections, upload } from './transfer.mjs';

const SIZE = 5_000_000;
/** Of a download of the artifact, in micro-dollars. */
const PRICE = 600;
const CLIENTS = 20;
const ADDRESSES = 40;

const agent = new Agent({ keepAlive: true });

const request = (port, path, address) =>
  new Promise((resolve, reject) => {
    get({ port, host: '127.0.0.1', path, agent, headers: { 'X-Forwarded-For': address } }, (incoming) => {
      incoming
        .resume()
        .on('end', () => resolve({ status: incoming.statusCode, location: incoming.headers.location }))
        .on('error', reject);
    }).on('error', reject);
  });

async function measureUpdateCrowd() {
  const service = await startService({
    TRUST_PROXY: '127.0.0.1',
    TRIAL_CREDIT_MICRO_USD: String(200 * PRICE),
  });
  try {
    const build = JSON.parse(await upload(service, SIZE));
    const { url } = await service.post('/update-keys', { platform: build.platform });
    const { pathname: key } = new URL(url);
    const path = `${key}/builds/${build.id}/${encodeURIComponent(build.file_name)}`;
    const update = async (address) => {
      const started = performance.now();
      const { status, location } = await request(service.port, path, address);
      if (status !== 302) return { status };
      const file = await request(service.port, new URL(location).pathname, address);
      return { status: file.status, ms: performance.now() - started };
    };
    const updates = (network) =>
      Promise.all(Array.from({ length: CLIENTS }, (_, n) => update(`198.51.${network}.${n + 1}`)));
    const quiet = await updates(1);
    const crowd = Array.from({ length: ADDRESSES }, (_, n) => [
      `2001:db8:1:${n.toString(16)}::1`,
      `203.0.113.${n + 1}`,
    ]);
    await Promise.all(crowd.flat().map((address) => request(service.port, path, address)));
    return { quiet: summaryOf(quiet), 'beside the crowd': summaryOf(await updates(2)) };
  } finally {
    agent.destroy();
    closeConnections();
    await service.stop();
  }
}

const summaryOf = (results) => ({
  updated: results.filter(({ status }) => status === 200).length,
  'median (ms)': Math.round(results.map(({ ms = 0 }) => ms).toSorted((a, b) => a - b)[results.length >> 1]),
});

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await ensureBuilt();
  const table = await measureUpdateCrowd();
  console.table(table);
  process.exitCode = table['beside the crowd'].updated === CLIENTS ? 0 : 1;
}
