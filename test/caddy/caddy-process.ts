import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { takeFreePort } from '../support/processes/free-port';
import { until } from '../support/until';

const CADDYFILE = join(__dirname, '../../docker/Caddyfile');

/** The local ports that replace the service names of the compose file. */
export interface UpstreamPorts {
  readonly apiPorts: readonly [number, number];
  readonly storePort: number;
}

/** The installed Caddy (Debian's `caddy`). Its certificates come from its own authority, since they are for `localhost`. */
export class CaddyProcess {
  readonly lines: string[] = [];

  private constructor(
    /** Removed by `stop`. */
    readonly folder: string,
    readonly host: string,
    readonly storeHost: string,
    readonly plainPort: number,
    private child?: ChildProcess,
  ) {}

  static async prepare(): Promise<CaddyProcess> {
    const folder = await mkdtemp(join(tmpdir(), 'agate-caddy-'));
    const [port, storePort, plainPort] = [await takeFreePort(), await takeFreePort(), await takeFreePort()];
    return new CaddyProcess(folder, `localhost:${port}`, `localhost:${storePort}`, plainPort);
  }

  /** Path of the authority's certificate. It exists once Caddy runs. */
  get authorityFile(): string {
    return join(this.folder, 'caddy/pki/authorities/local/root.crt');
  }

  authority(): Promise<string> {
    return readFile(this.authorityFile, 'utf8');
  }

  /** Starts with docker/Caddyfile, in which only the service names of the compose file are replaced by local addresses. */
  async start({ apiPorts, storePort }: UpstreamPorts): Promise<void> {
    const text = (await readFile(CADDYFILE, 'utf8'))
      .replace('api-1:3000 api-2:3000', apiPorts.map((port) => `127.0.0.1:${port}`).join(' '))
      .replace('store:8333', `127.0.0.1:${storePort}`);
    await this.run(text);
  }

  /** Starts as a proxy with TLS in front of a server, for `host`. */
  startInFrontOf(port: number): Promise<void> {
    return this.run(`{\n}\n\nhttps://${this.host} {\n\ttls internal\n\treverse_proxy 127.0.0.1:${port}\n}\n`);
  }

  private async run(text: string): Promise<void> {
    const file = join(this.folder, 'Caddyfile');
    const local = `{\n\tadmin off\n\tskip_install_trust\n\thttp_port ${this.plainPort}\n`;
    await writeFile(file, text.replace('{\n', local));
    this.child = spawn('caddy', ['run', '--config', file, '--adapter', 'caddyfile'], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: {
        PATH: process.env['PATH'],
        HOME: this.folder,
        XDG_DATA_HOME: this.folder,
        XDG_CONFIG_HOME: this.folder,
        AGATE_HOST: this.host,
        STORE_HOST: this.storeHost,
        ACME_EMAIL: 'ops@example.com',
      },
    });
    createInterface(this.child.stderr!).on('line', (line) => this.lines.push(line));
    while (!this.lines.some((line) => line.includes('serving initial configuration'))) {
      if (this.child.exitCode !== null) throw new Error(`Caddy did not start:\n${this.lines.join('\n')}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    await until(async () => await this.authority().catch(() => ''));
  }

  async stop(): Promise<void> {
    if (this.child?.exitCode === null) {
      const ended = once(this.child, 'exit');
      this.child.kill('SIGTERM');
      await ended;
    }
    await rm(this.folder, { recursive: true, force: true });
  }
}
