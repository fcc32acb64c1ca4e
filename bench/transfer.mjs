// HTTP clients that generate and discard bytes without holding them in memory.
import { randomBytes } from 'node:crypto';
import { Agent, get, request } from 'node:http';
import { Readable } from 'node:stream';

// As long as curl's boundary, because the speed of the parser depends on the length.
const BOUNDARY = '------------------------d74496d66958873e012345';
const field = (name, value) => `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const HEAD = Buffer.from(
  field('version', '1.0') +
    field('platform', 'linux') +
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="app.bin"\r\n\r\n`,
);
const TAIL = Buffer.from(`\r\n--${BOUNDARY}--\r\n`);
const BLOCK = randomBytes(1024 * 1024);

const agent = new Agent({ keepAlive: true });

/** Uploads `bytes` bytes, as a multipart form to the service or as a plain body to a raw server. @returns the response text. */
export function upload({ port, uploadPath, headers = {} }, bytes) {
  const body = function* () {
    if (uploadPath) yield HEAD;
    for (let left = bytes; left > 0; left -= BLOCK.length) yield left < BLOCK.length ? BLOCK.subarray(0, left) : BLOCK;
    if (uploadPath) yield TAIL;
  };
  const form = uploadPath ? HEAD.length + TAIL.length : 0;
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        port,
        host: '127.0.0.1',
        path: uploadPath ?? '/',
        method: 'POST',
        agent: false,
        headers: {
          ...headers,
          'Content-Type': `multipart/form-data; boundary=${BOUNDARY}`,
          'Content-Length': bytes + form,
        },
      },
      (incoming) => {
        let text = '';
        incoming.setEncoding('utf8').on('data', (chunk) => (text += chunk));
        incoming.on('end', () => {
          if (incoming.statusCode < 300) resolve(text);
          else reject(new Error(`${incoming.statusCode} ${text}`));
        });
      },
    );
    Readable.from(body(), { objectMode: false }).pipe(outgoing).on('error', reject);
  });
}

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
