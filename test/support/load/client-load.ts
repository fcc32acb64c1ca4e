import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type supertest from 'supertest';
import { Bearer, type ProjectRef, scope, type UploadFile } from '../actors/actors';
import { until } from '../until';

/** One request as its client observed it. */
export interface Seen {
  readonly what: string;
  /** The phase of the test in which the response arrived. */
  readonly phase: string;
  /** 0 when the connection was lost before a response. */
  readonly status: number;
  readonly error: unknown;
  readonly retryAfter: string | undefined;
  /** False when the response was incomplete. */
  readonly isWhole: boolean;
  readonly tookMs: number;
}

/** Completed operations, by the unique name that each was given. */
export interface Done {
  readonly tokens: string[];
  readonly builds: string[];
  readonly urls: string[];
  readonly downloads: string[];
}

export interface LoadTarget {
  /** A token of an administrator of the project. */
  readonly token: string;
  /** A project token with MANAGE_PROJECT. */
  readonly ciToken: string;
  readonly project: ProjectRef;
  /** The build that is read and downloaded. */
  readonly build: { readonly id: string };
  readonly file: UploadFile;
}

interface Outcome extends Pick<Seen, 'status' | 'error' | 'retryAfter' | 'isWhole'> {
  readonly body: unknown;
}

type Attempt = () => Promise<Outcome>;

const PAUSE_MS = 5;
const RETRY_MS = 100;

/**
 * Several kinds of clients, each with its own connections: they read, change, upload and download until `end`. Each change
 * has an idempotency key and is retried until it succeeds.
 */
export class ClientLoad {
  readonly seen: Seen[] = [];
  readonly done: Done = { tokens: [], builds: [], urls: [], downloads: [] };
  phase = 'before';
  private ended = false;
  private abandoned = false;
  private readonly clients: Promise<void>[] = [];

  constructor(private readonly target: LoadTarget) {}

  /** Starts the clients at a process of the service. */
  at(url: string): void {
    const { token, ciToken, project, build } = this.target;
    const [ann, ci] = [new Bearer(url, token), new Bearer(url, ciToken)];
    const reads = [
      '/developers/me',
      `/projects?organization_id=${project.organizationId}`,
      `/builds?${scope(project)}`,
      `/builds/${build.id}?${scope(project)}`,
    ];
    const audit = `${url}/api/v1/audit/organization/${project.organizationId}`;
    this.clients.push(
      this.repeat(
        async (turn) =>
          void (await this.attempt(
            'read',
            json(() => ann.get(reads[turn % reads.length]!)),
          )),
      ),
      this.repeat(async () => void (await this.attempt('audit feed', stream(audit, token)))),
      this.repeat(() => this.createsToken(ann)),
      this.repeat(() => this.uploads(ci)),
      this.repeat(() => this.downloads(ci, url)),
    );
  }

  /** Starts a phase, and waits until `requests` more responses have arrived. */
  async during(phase: string, requests: number): Promise<void> {
    this.phase = phase;
    const before = this.seen.length;
    await until(() => this.seen.length >= before + requests);
  }

  /** Stops the clients. Resolves when their operations are complete. */
  async end(): Promise<void> {
    this.ended = true;
    await Promise.all(this.clients);
  }

  /** Stops the clients without waiting for their operations, after a failed test. */
  abandon(): void {
    this.ended = this.abandoned = true;
    for (const client of this.clients) client.catch(() => undefined);
  }

  private async repeat(work: (turn: number) => Promise<void>): Promise<void> {
    for (let turn = 0; !this.ended; turn++) {
      await work(turn);
      await sleep(PAUSE_MS);
    }
  }

  private async createsToken(ann: Bearer): Promise<void> {
    const [name, key] = [randomUUID(), randomUUID()];
    const path = `/project-access-tokens?${scope(this.target.project)}`;
    const create = () => ann.post(path, { name, role: 'UPLOAD_BUILD' }).set('Idempotency-Key', key);
    await this.retryUntilDone('create a token', json(create));
    this.done.tokens.push(name);
  }

  private async uploads(ci: Bearer): Promise<void> {
    const [notes, key] = [randomUUID(), randomUUID()];
    const { project, file } = this.target;
    const upload = () => ci.upload(project, file, { notes }).set('Idempotency-Key', key);
    await this.retryUntilDone('upload', json(upload));
    this.done.builds.push(notes);
  }

  private async downloads(ci: Bearer, url: string): Promise<void> {
    const { project, build, file } = this.target;
    const key = randomUUID();
    const mint = () => ci.post(`/builds/${build.id}/download-url?${scope(project)}`).set('Idempotency-Key', key);
    const minted = (await this.retryUntilDone('mint a URL', json(mint))) as { url: string };
    const { pathname } = new URL(minted.url);
    this.done.urls.push(pathname);
    const bytes = (await this.retryUntilDone('download', stream(url + pathname))) as Buffer;
    if (bytes.equals(file.bytes)) this.done.downloads.push(pathname);
  }

  /** Retries until it succeeds; returns the body of the response. */
  private async retryUntilDone(what: string, attempt: Attempt): Promise<unknown> {
    for (;;) {
      const { status, isWhole, body } = await this.attempt(what, attempt);
      if (isWhole && status < 300) return body;
      if (this.abandoned) throw new Error(`${what} was abandoned`);
      await sleep(RETRY_MS);
    }
  }

  private async attempt(what: string, attempt: Attempt): Promise<Outcome> {
    const start = performance.now();
    const response = await attempt();
    const { status, error, retryAfter, isWhole } = response;
    this.seen.push({ what, phase: this.phase, status, error, retryAfter, isWhole, tookMs: performance.now() - start });
    return response;
  }
}

const lost = (error: unknown): Outcome => ({
  status: 0,
  error: String(error),
  retryAfter: undefined,
  isWhole: false,
  body: undefined,
});

const json =
  (make: () => supertest.Test): Attempt =>
  async () => {
    try {
      const { status, headers, body } = await make();
      return {
        status,
        error: reasonOf(body),
        retryAfter: headers['retry-after'],
        isWhole: true,
        body: body as unknown,
      };
    } catch (error) {
      return lost(error);
    }
  };

/** A GET whose response may be truncated. */
const stream =
  (url: string, token?: string): Attempt =>
  () =>
    new Promise((resolve) => {
      const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
      const outgoing = request(url, { agent: false, headers }, (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', () => undefined);
        incoming.on('close', () => {
          const body = Buffer.concat(chunks);
          const status = incoming.statusCode!;
          const error = status < 400 ? undefined : reasonOf(JSON.parse(body.toString()));
          resolve({ status, error, retryAfter: incoming.headers['retry-after'], isWhole: incoming.complete, body });
        });
      });
      outgoing.on('error', (error) => resolve(lost(error))).end();
    });

/** The reason of an error, or else its code. */
function reasonOf(body: unknown): unknown {
  const { error, details } = body as { error?: string; details?: { reason?: string } };
  return details?.reason ?? error;
}
