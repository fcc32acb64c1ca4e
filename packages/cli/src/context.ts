import { Client, sleep } from '@agate/client';
import { type Environment } from './environment';
import { RetryPolicy } from './network/retry-policy';
import { serviceFetch, type ServiceFetchOptions } from './network/service-fetch';
import { credentialError } from './output/cli-error';
import { type Output, type TextStream } from './output/output';
import { type ProjectScope, resolveScope } from './settings/scope';
import { rejectPlainHttp } from './settings/service-address';
import { type GlobalOptions, loadSettings, type Settings } from './settings/settings';
import { VERSION } from './version';

/** The parts of the process that commands use. Tests replace them. */
export interface ProcessFacts {
  readonly environment: Environment;
  readonly cwd: string;
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly stdout: TextStream;
  readonly stderr: TextStream;
  /** Aborts when the process is interrupted. */
  readonly signal: AbortSignal;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

const NO_CREDENTIAL = 'There is no credential. Set AGATE_TOKEN, or use agate login.';

/** The context of every command. Settings are read when a command first needs them. */
export class Context {
  options: GlobalOptions = {};
  private loaded: Promise<Settings> | undefined;
  private connected: Promise<Client> | undefined;
  private found: Promise<ProjectScope> | undefined;
  private policy: RetryPolicy | undefined;

  constructor(
    readonly process: ProcessFacts,
    readonly output: Output,
  ) {}

  get environment(): Environment {
    return this.process.environment;
  }

  get signal(): AbortSignal {
    return this.process.signal;
  }

  /** Whether a person can be asked: there is a terminal, and no CI. */
  get isInteractive(): boolean {
    const { stdin, stderr, environment } = this.process;
    return stdin.isTTY === true && stderr.isTTY === true && !environment['CI'] && !this.output.isJson;
  }

  /** Takes the options that every command has. Called before the action of a command. */
  configure(options: GlobalOptions): void {
    this.options = options;
    this.output.isQuiet = options.quiet ?? false;
    this.output.isDebug = options.debug ?? false;
  }

  /** @throws CliError when a setting is missing or not valid. */
  settings(): Promise<Settings> {
    this.loaded ??= this.load();
    return this.loaded;
  }

  /** The time for which failed requests are retried. Shared by all requests of the command. */
  get retryPolicy(): RetryPolicy {
    this.policy ??= new RetryPolicy({
      retryFor: this.options.retryFor,
      now: () => performance.now(),
      random: Math.random,
      say: (text) => this.output.say(text),
    });
    return this.policy;
  }

  /** The API with the credential. Failed requests are retried while that can help. @throws CliError without a credential. */
  client(): Promise<Client> {
    this.connected ??= this.connect();
    return this.connected;
  }

  /** The project that the command works on. @throws CliError when it is unknown or does not exist. */
  scope(): Promise<ProjectScope> {
    this.found ??= Promise.all([this.client(), this.settings()]).then(([client, settings]) =>
      resolveScope(client, settings),
    );
    return this.found;
  }

  /** A client of a service for logging in. It does not retry: a wrong password must not be sent twice. */
  newClient(url: string, token?: string): Client {
    rejectPlainHttp(url);
    const headers = { ...this.headers(), ...(token !== undefined && { Authorization: `Bearer ${token}` }) };
    return new Client({ baseUrl: url, headers, fetch: this.fetch({ newRetries: () => () => null }) });
  }

  /** A client of the service with or without a credential. */
  async anonymousClient(): Promise<Client> {
    const { url } = await this.settings();
    return new Client({ baseUrl: url, headers: this.headers(), fetch: this.fetch() });
  }

  /** The API with the credential, for callers that retry and abort requests themselves. @throws CliError without a credential. */
  async clientWithoutRetries(): Promise<Client> {
    const uninterrupted = new AbortController().signal;
    return this.connect(this.fetch({ newRetries: () => () => null, signal: uninterrupted }));
  }

  /** Sends a message of an agent to the MCP server of the service, once. @throws CliError without a credential. */
  async postMessage(message: object, headers: Readonly<Record<string, string>>): Promise<Response> {
    const { url, token } = await this.settings();
    if (token === null) throw credentialError(NO_CREDENTIAL);
    const all = {
      ...this.headers(),
      ...headers,
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
    };
    const send = this.fetch({ newRetries: () => () => null });
    return send(`${url}/mcp`, { method: 'POST', headers: all, body: JSON.stringify(message) });
  }

  /** The same context for another project. */
  forProject(id: string): Context {
    const context = new Context(this.process, this.output);
    context.options = { ...this.options, project: id };
    return context;
  }

  /**
   * The address of a page of the service's documents. Null when the service is not known, or does not serve them: they need the root of
   * its address.
   */
  async helpAddress(path: string): Promise<string | null> {
    const { url } = await this.settings().catch(() => ({ url: null }));
    return url === null || new URL(url).pathname !== '/' ? null : `${url}${path}`;
  }

  // eslint-disable-next-line @typescript-eslint/require-await -- errors reject the promise
  private async load(): Promise<Settings> {
    const settings = loadSettings(this.options, this.environment, this.process.cwd);
    if (settings.token !== null) this.output.secrets.add(settings.token);
    return settings;
  }

  private async connect(send = this.fetch()): Promise<Client> {
    const { url, token } = await this.settings();
    if (token === null) throw credentialError(NO_CREDENTIAL);
    const headers = { ...this.headers(), Authorization: `Bearer ${token}` };
    return new Client({ baseUrl: url, headers, fetch: send });
  }

  private fetch(changes: Partial<ServiceFetchOptions> = {}): typeof fetch {
    const { output, signal, retryPolicy } = this;
    const { newRetries } = retryPolicy;
    return serviceFetch({
      newRetries,
      answered: () => retryPolicy.answered(),
      output,
      signal,
      wait: sleep,
      ...changes,
    });
  }

  private headers(): Readonly<Record<string, string>> {
    return { 'User-Agent': `agate-cli/${VERSION} node/${process.versions.node}` };
  }
}
