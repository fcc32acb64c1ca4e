import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { request as send } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { BlobServiceClient } from '@azure/storage-blob';
import { type AzureDescription } from '#infra/blob/store-description';
import { takeFreePort } from '../../processes/free-port';
import { bytesOf, FaultyProxy, type SeenRequest, type StoreResponse } from '../proxies/faulty-proxy';

const ACCOUNT = 'agatetest';
const MAX_BUFFERED_BYTES = 64 * 1024 * 1024;

/** Azurite in its own process, with its data in memory. */
export class AzureServer extends FaultyProxy {
  private constructor(
    private readonly child: ChildProcess,
    private readonly port: number,
    private readonly folder: string,
    private readonly key: string,
  ) {
    super();
  }

  static async start(): Promise<AzureServer> {
    const folder = await mkdtemp(join(tmpdir(), 'agate-azurite-'));
    const key = randomBytes(64).toString('base64');
    const port = await takeFreePort();
    const child = spawn(
      process.execPath,
      [
        require.resolve('azurite/dist/src/blob/main.js'),
        ...['--blobHost', '127.0.0.1', '--blobPort', String(port)],
        ...['--inMemoryPersistence', '--skipApiVersionCheck', '--disableTelemetry', '--silent'],
      ],
      { cwd: folder, stdio: 'ignore', env: { PATH: process.env['PATH'], AZURITE_ACCOUNTS: `${ACCOUNT}:${key}` } },
    );
    const server = await new AzureServer(child, port, folder, key).listen();
    await server.untilReady();
    return server;
  }

  override async stop(): Promise<void> {
    await super.stop();
    const ended = once(this.child, 'exit');
    if (this.child.exitCode === null && this.child.kill('SIGKILL')) await ended;
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Creates a container. */
  async container(): Promise<AzureDescription> {
    const container = `agate-${randomUUID()}`;
    await BlobServiceClient.fromConnectionString(this.connectionString()).createContainer(container);
    return { provider: 'azure', container, connectionString: this.connectionString() };
  }

  connectionString(key = this.key): string {
    const endpoint = `BlobEndpoint=${this.url}/${ACCOUNT}`;
    return `DefaultEndpointsProtocol=http;AccountName=${ACCOUNT};AccountKey=${key};${endpoint};`;
  }

  protected override forward({ method, path, headers, body }: SeenRequest): Promise<StoreResponse> {
    return new Promise((resolve, reject) => {
      const length = { 'content-length': body.length };
      const place = { hostname: '127.0.0.1', port: this.port };
      const sent = send({ method, path, ...place, headers: { ...headers, ...length } }, (response) => {
        const head = { status: response.statusCode ?? 0, headers: response.headers };
        if (method === 'GET' && Number(response.headers['content-length']) > MAX_BUFFERED_BYTES) {
          return resolve({ ...head, body: Buffer.alloc(0), stream: response });
        }
        bytesOf(response).then((received) => resolve({ ...head, body: received }), reject);
      });
      sent.once('error', reject).end(body);
    });
  }

  private async untilReady(): Promise<void> {
    while (!(await fetch(`http://127.0.0.1:${this.port}`).catch(() => null))) {
      if (this.child.exitCode !== null) throw new Error(`Azurite exited with ${this.child.exitCode}`);
      await setTimeout(50);
    }
  }
}
