import { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { type ProjectRef, scope } from './actors';

const BOUNDARY = 'slow-upload-boundary';
const field = (name: string, value: string): string =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const HEAD = Buffer.from(
  field('version', '1.0') +
    field('platform', 'linux') +
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="app.bin"\r\n\r\n`,
);
const TAIL = Buffer.from(`\r\n--${BOUNDARY}--\r\n`);

export interface UploadAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** An upload that sends its bytes step by step. The constructor sends the headers and the parts before the file. */
export class SlowUpload {
  /** Null when the connection closed before a response. */
  readonly answer: Promise<UploadAnswer | null>;
  private readonly outgoing: ClientRequest;
  private sentBytes = 0;

  constructor(
    server: { readonly url: string },
    token: string,
    project: ProjectRef,
    private readonly file: Buffer,
    headers: Readonly<Record<string, string>> = {},
  ) {
    this.outgoing = request(`${server.url}/api/v1/builds?${scope(project)}`, {
      method: 'POST',
      agent: false,
      headers: {
        Authorization: `Bearer ${token}`,
        'Content-Type': `multipart/form-data; boundary=${BOUNDARY}`,
        'Content-Length': HEAD.length + file.length + TAIL.length,
        ...headers,
      },
    });
    this.answer = new Promise((resolve) => {
      // A response before the end of the body is followed by a write error. The response counts.
      this.outgoing.on('error', () => undefined).once('close', () => resolve(null));
      this.outgoing.once('response', (incoming) => void read(incoming).then(resolve));
    });
    this.outgoing.write(HEAD);
  }

  /** Sends the file up to a share of its size and waits until the bytes are written to the socket. */
  async sendUpTo(share: number): Promise<this> {
    const end = Math.round(share * this.file.length);
    const part = this.file.subarray(this.sentBytes, end);
    this.sentBytes = end;
    if (part.length > 0) await this.write(part);
    return this;
  }

  /** Sends the rest of the body. */
  async finish(): Promise<UploadAnswer | null> {
    await this.sendUpTo(1);
    this.outgoing.end(TAIL);
    return this.answer;
  }

  abort(): void {
    this.outgoing.destroy();
  }

  private write(part: Buffer): Promise<void> {
    return new Promise((resolve) => {
      this.outgoing.once('close', resolve);
      this.outgoing.write(part, () => resolve());
    });
  }
}

function read(incoming: IncomingMessage): Promise<UploadAnswer | null> {
  return new Promise((resolve) => {
    let text = '';
    incoming.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    incoming.on('end', () => resolve({ status: incoming.statusCode!, headers: incoming.headers, text }));
    incoming.on('error', () => resolve(null));
  });
}
