import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { printOnFailure } from '../app/failure-log';
import { takeFreePort } from './free-port';
import { type ProgramForm, programOf } from './program';

/** The database and data directory of a service, which survive its process. A `TestApp` has both. */
export interface Place {
  readonly dataDirectory: string;
  /** Without `ownerUrl` the service uses one role for everything. */
  readonly database?: { readonly url: string; readonly ownerUrl?: string };
}

export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** The service in a child process, which can be stopped, frozen, killed and restarted. */
export class ServerProcess {
  /** All lines of its output. */
  readonly lines: string[] = [];
  readonly ended: Promise<Ending>;

  private constructor(
    private readonly child: ChildProcess,
    readonly port: number,
  ) {
    printOnFailure(this.lines);
    this.ended = new Promise((resolve) => child.once('close', (code, signal) => resolve({ code, signal })));
    for (const stream of [child.stdout, child.stderr]) {
      if (stream) createInterface(stream).on('line', (line) => this.lines.push(line));
    }
  }

  /** Resolves when the service is ready. Rejects with its output when it exits before. */
  static async start(place: Place, environment: Readonly<Record<string, string>> = {}): Promise<ServerProcess> {
    const server = await ServerProcess.launch(place, environment);
    await server.ready();
    return server;
  }

  /**
   * Starts the service without waiting until it is ready.
   * @param form `sources` for a test that replaces modules.
   */
  static async launch(
    place: Place,
    environment: Readonly<Record<string, string>> = {},
    flags: readonly string[] = [],
    form?: ProgramForm,
  ): Promise<ServerProcess> {
    const port = Number(environment['PORT'] ?? (await takeFreePort()));
    const child = spawn(process.execPath, [...programOf('main', form), ...flags], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env['PATH'],
        NODE_ENV: 'test',
        LOG_FORMAT: 'json',
        RATE_LIMIT_FACTOR: '0',
        FAST_PATHS: process.env['FAST_PATHS'] ?? '',
        // The same for all processes of one installation, as behind a load balancer.
        BASE_URL: 'http://localhost:3000',
        DATA_DIR: place.dataDirectory,
        ...(place.database && { DATABASE_URL: place.database.url }),
        ...(place.database?.ownerUrl && { DATABASE_OWNER_URL: place.database.ownerUrl }),
        PORT: String(port),
        ...environment,
      },
    });
    return new ServerProcess(child, port);
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get pid(): number {
    return this.child.pid!;
  }

  async ready(): Promise<void> {
    const isReady = (): boolean => this.lines.some((line) => line.includes('Agate is ready'));
    let ended = false;
    void this.ended.then(() => (ended = true));
    while (!isReady()) {
      if (ended) throw new Error(`The service did not start:\n${this.lines.join('\n')}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** Closes the pipes of its output, as when the reader of a log exits. `lines` gets no further ones. */
  closeLog(): void {
    this.child.stdout?.destroy();
    this.child.stderr?.destroy();
  }

  kill(): Promise<Ending> {
    return this.stop('SIGKILL');
  }

  stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<Ending> {
    this.child.kill(signal);
    return this.ended;
  }
}
