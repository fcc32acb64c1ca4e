// The clients of the busiest account: lists and uploads without a pause until the thread that started them sends a message. They run in a
// thread of their own, so that their work is not measured as the time of the neighbour's responses.
import { parentPort, workerData } from 'node:worker_threads';
import { closeConnections, upload } from '../transfer.mjs';
import { request } from './reads/reads.mjs';

const { port, scope, headers, clients } = workerData;
const uploadPath = `/api/v1/builds?${scope}`;
/** Not the address of the other account: credentials are checked in turns of addresses. */
const localAddress = '127.0.0.2';
const statuses = {};
let isStopped = false;
parentPort.once('message', () => (isStopped = true));

/** Every third list has a text that no build contains. */
const list = async (sent) =>
  (await request(port, `${uploadPath}&limit=100${sent % 3 === 0 ? '&q=nothing' : ''}`, headers, localAddress)).status;

const send = () =>
  upload({ port, uploadPath, headers, localAddress }, 2_000).then(
    () => 201,
    ({ message }) => Number(message.slice(0, 3)),
  );

async function client(work) {
  for (let sent = 0; !isStopped; sent += 1) {
    const status = await work(sent).catch(() => 'failed');
    statuses[status] = (statuses[status] ?? 0) + 1;
  }
}

await Promise.all([list, send].flatMap((work) => Array.from({ length: clients }, () => client(work))));
closeConnections();
parentPort.postMessage(statuses);
