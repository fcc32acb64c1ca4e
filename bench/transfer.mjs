// The clients of the benches: they make and drop bytes, and hold none.
import { randomBytes } from 'node:crypto';
import { Agent, get, request } from 'node:http';
import { Readable } from 'node:stream';

// As long as curl's: the parser skips ahead by the length of the boundary.
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

/** Sends `bytes` as a form to the service, or bare to a raw server; returns the answer's text. */
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

/** Downloads a path, or a range of it; returns how many bytes came. */
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
