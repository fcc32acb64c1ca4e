// HTTP clients that generate and discard bytes without holding them in memory.
import { randomBytes } from 'node:crypto';
import { Agent, get, request } from 'node:http';
import { Readable } from 'node:stream';

// As long as curl's boundary, because the speed of the parser depends on the length.
const BOUNDARY = '------------------------d74496d66958873e012345';
const field = (name, value) => `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const fileHead = (name) => `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\n`;
const HEAD = Buffer.from(field('version', '1.0') + field('platform', 'linux') + fileHead('app.bin'));
const TAIL = Buffer.from(`\r\n--${BOUNDARY}--\r\n`);
const BLOCK = randomBytes(1024 * 1024);
const PARTS_AT_ONCE = 3;
const PARTS_PER_REQUEST = 8;

const FORM_TYPE = `multipart/form-data; boundary=${BOUNDARY}`;

const agent = new Agent({ keepAlive: true });

/** The headers and the body of a form with a small file, for a request of `POST /builds`. */
export function formOf(fileName, content) {
  const head = fileName.endsWith('.bin') ? HEAD : Buffer.from(fileHead(fileName));
  const body = Buffer.concat([head, content, TAIL]);
  return { headers: { 'Content-Type': FORM_TYPE, 'Content-Length': body.length }, body };
}

/** Uploads `bytes` bytes, as a multipart form to the service or as a plain body to a raw server. @returns the response text. */
export function upload({ port, uploadPath, headers = {}, localAddress }, bytes) {
  const body = function* () {
    if (uploadPath) yield HEAD;
    yield* blocks(bytes);
    if (uploadPath) yield TAIL;
  };
  const form = uploadPath ? HEAD.length + TAIL.length : 0;
  return send(
    {
      port,
      path: uploadPath ?? '/',
      method: 'POST',
      agent: false,
      localAddress,
      headers: { ...headers, 'Content-Type': FORM_TYPE, 'Content-Length': bytes + form },
    },
    body(),
  );
}

/**
 * Uploads `bytes` bytes in parts, as the command line does: three parts concurrently.
 * @param completes false leaves the upload open when its parts have arrived.
 * @returns the response text of the completion, or that of the start.
 */
export async function uploadInParts({ port, post }, bytes, { completes = true } = {}) {
  const file = { file_name: 'app.bin', size_bytes: bytes, version: '1.0', platform: 'linux' };
  const upload = await post('/builds/uploads', file);
  // In order, like the command line: the service hashes what has arrived from the beginning on while the rest is sent.
  const numbers = upload.parts.map(({ part_number: number }) => number);
  const addresses = [];
  const nextAddress = () => {
    if (addresses.length === 0 && numbers.length > 0) {
      const batch = numbers.splice(0, PARTS_PER_REQUEST);
      const asked = post(`/builds/uploads/${upload.id}/part-urls`, { part_numbers: batch, through: 'service' });
      addresses.push(...batch.map((_, index) => asked.then(({ urls }) => urls[index])));
    }
    return addresses.shift();
  };
  const sender = async () => {
    for (let address = nextAddress(); address; address = nextAddress()) {
      const { url, size_bytes: size } = await address;
      await send({ port, path: url, method: 'PUT', agent, headers: { 'Content-Length': size } }, blocks(size));
    }
  };
  await Promise.all(Array.from({ length: PARTS_AT_ONCE }, sender));
  return completes ? post(`/builds/uploads/${upload.id}/complete`, {}) : upload;
}

function* blocks(bytes) {
  for (let left = bytes; left > 0; left -= BLOCK.length) yield left < BLOCK.length ? BLOCK.subarray(0, left) : BLOCK;
}

/** Sends a body of blocks. @returns the response text. */
const send = (options, body) =>
  new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', ...options }, (incoming) => {
      let text = '';
      incoming.setEncoding('utf8').on('data', (chunk) => (text += chunk));
      incoming.on('end', () => {
        if (incoming.statusCode < 300) resolve(text);
        else reject(new Error(`${incoming.statusCode} ${text}`));
      });
    });
    Readable.from(body, { objectMode: false }).pipe(outgoing).on('error', reject);
  });

/** Downloads a path or a range of it. @returns the number of bytes. */
export function download({ port }, path, headers = {}) {
  return new Promise((resolve, reject) => {
    get({ port, host: '127.0.0.1', path, agent, headers }, (incoming) => {
      let bytes = 0;
      incoming.on('data', (chunk) => (bytes += chunk.length));
      incoming.on('end', () => {
        if (incoming.statusCode < 300) resolve(bytes);
        else reject(new Error(`${incoming.statusCode} for ${path}`));
      });
    }).on('error', reject);
  });
}

export const closeConnections = () => agent.destroy();
