// Measures every read of the API on the large installation and on the empty one, in turns.
import { Agent, get } from 'node:http';
import { exceptionOf } from '../exceptions.mjs';
import { requestsOf } from './requests.mjs';

/** A read may take three times as long as on an empty installation, and never long. Below a millisecond, the ratio says nothing. */
export const BUDGET = { ratio: 3, p99Ms: 100, leastMs: 1 };
const WARM_UP = 2;
/** A read that takes seconds is not repeated that often. */
const PATIENCE_MS = 4_000;

const agent = new Agent({ keepAlive: true });

/** Sends a GET request. @returns its status, its text, and the milliseconds until its last byte. */
export function request(port, path, headers = {}, localAddress = undefined) {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    get({ port, host: '127.0.0.1', path, agent, headers, localAddress }, (incoming) => {
      let text = '';
      incoming.setEncoding('latin1').on('data', (chunk) => (text += chunk));
      incoming.on('error', reject).on('end', () => {
        resolve({ status: incoming.statusCode, text, ms: performance.now() - started });
      });
    }).on('error', reject);
  });
}

export const at = (sample, share) =>
  sample.toSorted((a, b) => a - b)[Math.min(sample.length - 1, Math.floor(sample.length * share))];

/** A server with the requests of the document for its own rows. */
export async function serverOf(installation, environment = {}) {
  const service = await installation.launch(environment);
  const headers = installation.headersFor(service);
  const document = JSON.parse((await request(service.port, '/api/v1/openapi.json')).text);
  const { requests, missing } = requestsOf(document, installation.subject);
  const send = async ({ path }) => request(service.port, path, path.startsWith('/api/') ? await headers() : {});
  for (const each of requests.filter(({ isSecond }) => isSecond)) {
    const { next_cursor: cursor } = JSON.parse((await send(each)).text);
    if (cursor) each.path += `&cursor=${encodeURIComponent(cursor)}`;
  }
  return { service, requests, missing, send };
}

/** @returns true when the request reached its data: filters may find nothing, and redirects lead to a file. */
export const isAnswered = ({ status }, { isFiltered }) => status < 400 || (isFiltered && status === 404);

async function measure(servers, index, samples) {
  const times = servers.map(() => []);
  const started = performance.now();
  for (let sample = -WARM_UP; sample < samples; sample += 1) {
    for (const [place, { send, requests }] of servers.entries()) {
      const response = await send(requests[index]);
      if (!isAnswered(response, requests[index])) return { error: `${response.status} ${response.text.slice(0, 150)}` };
      if (sample >= 0) times[place].push(response.ms);
    }
    if (sample >= 0 && performance.now() - started > PATIENCE_MS) break;
  }
  const [empty, large] = times.map((sample) => ({ p50: at(sample, 0.5), p99: at(sample, 0.99) }));
  return { empty, large, ratio: large.p50 / Math.max(empty.p50, BUDGET.leastMs) };
}

const excessOf = ({ error, ratio, large }) =>
  error ??
  [
    ratio > BUDGET.ratio && `${ratio.toFixed(1)} times as long as on an empty installation`,
    large?.p99 > BUDGET.p99Ms && `p99 ${large.p99.toFixed(0)} ms`,
  ]
    .filter(Boolean)
    .join(', ');

/** @returns whether the read may exceed the budget, and keeps the limit of its exception. */
function isExceptional(title, { error, large }) {
  const exception = exceptionOf(title);
  return exception !== undefined && !error && large.p99 <= (exception.p99Ms ?? Infinity);
}

/** @returns what exceeds the budget. */
export async function measureReads({ large, empty }, { report, filter, samples }) {
  const servers = [await serverOf(empty), await serverOf(large)];
  const missed = servers[1].missing.map((place) => `${place} has no value: add it to bench/large/reads/parameters.mjs`);
  const rows = {};
  for (const [index, { title }] of servers[1].requests.entries()) {
    if (!filter.split(',').some((part) => title.includes(part))) continue;
    const result = await measure(servers, index, samples);
    const excess = excessOf(result);
    const isExcepted = isExceptional(title, result);
    if (excess && !isExcepted) missed.push(`${title}: ${excess}`);
    rows[title] = rowOf(result, excess && (isExcepted ? 'excepted' : 'MISSED'));
  }
  report(rows);
  await Promise.all([large.stopServices(), empty.stopServices()]);
  agent.destroy();
  return missed;
}

const rowOf = ({ error, empty, large, ratio }, verdict) =>
  error
    ? { error, '': verdict }
    : {
        empty: empty.p50.toFixed(1),
        large: large.p50.toFixed(1),
        'large p99': large.p99.toFixed(0),
        ratio: ratio.toFixed(1),
        '': verdict,
      };
