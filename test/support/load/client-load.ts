import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type supertest from 'supertest';
import { Bearer, type ProjectRef, scope, type UploadFile } from '../actors/actors';

/** What a client saw of one request. */
export interface Seen {
  readonly what: string;
  /** As the load's owner has called the time in which it was answered. */
  readonly phase: string;
  /** 0: the connection was lost before an answer. */
  readonly status: number;
  readonly error: unknown;
  readonly retryAfter: string | undefined;
  /** False when the answer broke off. */
  readonly isWhole: boolean;
  readonly tookMs: number;
}

/** What was asked for until it was done, by the name that only this one had. */
export interface Done {
  readonly tokens: string[];
  readonly builds: string[];
  readonly urls: string[];
  readonly downloads: string[];
}

export interface LoadTarget {
  /** Who may do everything in the project. */
  readonly token: string;
  /** A project token with MANAGE_PROJECT. */
  readonly ciToken: string;
  readonly project: ProjectRef;
  /** A build to look at and to download. */
  readonly build: { readonly id: string };
  readonly file: UploadFile;
}

interface Answer extends Pick<Seen, 'status' | 'error' | 'retryAfter' | 'isWhole'> {
  readonly body: unknown;
}

type Attempt = () => Promise<Answer>;

const BREATH_MS = 5;
const RETRY_MS = 100;

/**
 * Clients of all kinds at one service, each over connections of its own: they read, change, upload and download until they are
 * told to stop. What changes something carries a key and is asked for until it is done, as a good client does.
 */
export class ClientLoad {
  readonly seen: Seen[] = [];
  readonly done: Done = { tokens: [], builds: [], urls: [], downloads: [] };
  phase = 'before';
  private ended = false;
  private abandoned = false;
  private readonly clients: Promise<void>[] = [];

  constructor(private readonly target: LoadTarget) {}

  /** Sets them on a process of the service. */
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

  /** Waits until so many requests have been answered from now on, in a phase of that name. */
  async during(phase: string, requests: number): Promise<void> {
    this.phase = phase;
    const before = this.seen.length;
    while (this.seen.length < before + requests) await sleep(20);
  }

  /** Resolves when all that was begun is done. */
  async end(): Promise<void> {
    this.ended = true;
    await Promise.all(this.clients);
  }

  /** Sends them home, whatever is not done: for a test that has failed. */
  abandon(): void {
    this.ended = this.abandoned = true;
    for (const client of this.clients) client.catch(() => undefined);
  }

  private async repeat(work: (turn: number) => Promise<void>): Promise<void> {
    for (let turn = 0; !this.ended; turn++) {
      await work(turn);
      await sleep(BREATH_MS);
    }
  }

  private async createsToken(ann: Bearer): Promise<void> {
    const [name, key] = [randomUUID(), randomUUID()];
    const path = `/project-access-tokens?${scope(this.target.project)}`;
    const create = () => ann.post(path, { name, role: 'UPLOAD_BUILD' }).set('Idempotency-Key', key);
    await this.insist('create a token', json(create));
    this.done.tokens.push(name);
  }

  private async uploads(ci: Bearer): Promise<void> {
    const [notes, key] = [randomUUID(), randomUUID()];
    const { project, file } = this.target;
    const upload = () => ci.upload(project, file, { notes }).set('Idempotency-Key', key);
    await this.insist('upload', json(upload));
    this.done.builds.push(notes);
  }

  private async downloads(ci: Bearer, url: string): Promise<void> {
    const { project, build, file } = this.target;
    const key = randomUUID();
    const mint = () => ci.post(`/builds/${build.id}/download-url?${scope(project)}`).set('Idempotency-Key', key);
    const minted = (await this.insist('mint a URL', json(mint))) as { url: string };
    const { pathname } = new URL(minted.url);
    this.done.urls.push(pathname);
    const bytes = (await this.insist('download', stream(url + pathname))) as Buffer;
    if (bytes.equals(file.bytes)) this.done.downloads.push(pathname);
  }

  /** Until it is done; returns what was answered then. */
  private async insist(what: string, attempt: Attempt): Promise<unknown> {
    for (;;) {
      const { status, isWhole, body } = await this.attempt(what, attempt);
      if (isWhole && status < 300) return body;
      if (this.abandoned) throw new Error(`${what} was abandoned`);
      await sleep(RETRY_MS);
    }
  }

  private async attempt(what: string, attempt: Attempt): Promise<Answer> {
    const start = performance.now();
    const answer = await attempt();
    const { status, error, retryAfter, isWhole } = answer;
    this.seen.push({ what, phase: this.phase, status, error, retryAfter, isWhole, tookMs: performance.now() - start });
    return answer;
  }
}

const lost = (error: unknown): Answer => ({
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

/** A GET whose answer may break off after it has begun. */
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

/** The code of an error, and what it says more. */
function reasonOf(body: unknown): unknown {
  const { error, details } = body as { error?: string; details?: { reason?: string } };
  return details?.reason ?? error;
}
