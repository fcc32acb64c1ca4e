import { randomUUID } from 'node:crypto';
import { createColors, isColorSupported } from 'picocolors';
import { type Environment } from '../environment';
import { jsonWithoutCommands, textWithoutCommands } from './escaping';
import { type Failure } from './failure';
import { Secrets } from './secrets';
import { visible, visibleJson } from './visible';

/** Set by every CI that interprets the output of a job. */
const CI_VARIABLES = ['CI', 'GITHUB_ACTIONS', 'TF_BUILD', 'TEAMCITY_VERSION'] as const;

/** The start of a control sequence, such as a colour. */
const SEQUENCE = '\u001b[';

/** A stream of text, such as `process.stdout`. */
export interface TextStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string, done?: () => void): unknown;
}

export interface OutputOptions {
  readonly stdout: TextStream;
  readonly stderr: TextStream;
  readonly environment: Environment;
  readonly json: boolean;
}

const COLORS = ['bold', 'dim', 'green', 'red', 'yellow'] as const;

type Colors = Readonly<Record<(typeof COLORS)[number], (text: string) => string>>;

/**
 * Standard output carries the result and nothing else. Everything that explains goes to standard error. Texts of builds, services and
 * repositories are data: a terminal shows their control characters as escapes.
 */
export class Output {
  readonly secrets = new Secrets();
  /** Whether standard error shows colours. */
  readonly hasColors: boolean;
  /** Colours of standard error. They do nothing when it shows none. */
  readonly colors: Colors;
  isQuiet = false;
  isDebug = false;
  private document: unknown;
  private statusLine = '';
  /** Begins the sequences of this program's colours until they are written, so that no text of others contains one. */
  private readonly mark = `${randomUUID()}[`;

  constructor(private readonly options: OutputOptions) {
    const { environment, stderr } = options;
    const forced = (environment['FORCE_COLOR'] ?? '0') !== '0';
    const refused = (environment['NO_COLOR'] ?? '') !== '';
    this.hasColors = !refused && (forced || (isColorSupported && stderr.isTTY === true));
    const colors = createColors(this.hasColors);
    const marked = (name: keyof Colors) => (text: string) =>
      colors[name](visible(text)).replaceAll(SEQUENCE, this.mark);
    this.colors = Object.fromEntries(COLORS.map((name) => [name, marked(name)])) as Record<keyof Colors, () => string>;
  }

  /** Whether the result is one JSON document. */
  get isJson(): boolean {
    return this.options.json;
  }

  /** Whether a person reads standard output in a terminal. */
  get isTerminal(): boolean {
    return this.options.stdout.isTTY === true && !this.isJson;
  }

  /** Whether standard error is a terminal, where a line can be rewritten. */
  get hasStatusLine(): boolean {
    return this.options.stderr.isTTY === true;
  }

  get columns(): number {
    return this.options.stderr.columns ?? 80;
  }

  /** The result: `data` with `--json`, otherwise `text`. A command prints once. */
  print(data: unknown, text: string): void {
    if (this.isJson) this.document = data;
    else if (text !== '') {
      const shown = this.isTerminal ? visible(text) : text;
      this.options.stdout.write(this.inert(this.colored(shown.endsWith('\n') ? shown : `${shown}\n`)));
    }
  }

  /** Explains the progress. Prints nothing with `--quiet`. */
  say(text: string): void {
    if (!this.isQuiet) this.talk(text);
  }

  warn(text: string): void {
    this.talk(`${this.colors.yellow('warning:')} ${text}`);
  }

  debug(text: string): void {
    if (this.isDebug) this.talk(this.colors.dim(text));
  }

  /** Writes a line that the CI is meant to interpret. */
  command(stream: 'stdout' | 'stderr', line: string): void {
    this.options[stream].write(`${visible(this.secrets.mask(line))}\n`);
  }

  /** Replaces the last line of a terminal. An empty text removes it. */
  status(text: string): void {
    if (!this.hasStatusLine || this.isQuiet || text === this.statusLine) return;
    this.options.stderr.write(`\r\u001b[2K${visible(text)}`);
    this.statusLine = text;
  }

  /**
   * Reports a failure. With `--json` it is the result and replaces earlier output.
   * @param help the address of the page that explains it, null when there is none.
   */
  fail({ error, message, details }: Failure, help: string | null = null): void {
    this.status('');
    if (this.isJson) this.document = JSON.parse(this.secrets.mask(JSON.stringify({ error, message, details })));
    this.talk(`${this.colors.red('error:')} ${message}`);
    const { request_id: requestId } = details;
    if (typeof requestId === 'string') this.talk(`Request: ${requestId}`);
    if (help !== null) this.talk(`See ${help}`);
  }

  /** Writes the pending output and resolves when the streams have accepted it. */
  async end(): Promise<void> {
    const { stdout, stderr } = this.options;
    const json = this.document === undefined ? '' : `${JSON.stringify(this.document, null, 2)}\n`;
    const document = jsonWithoutCommands(stdout.isTTY ? visibleJson(json) : json);
    await new Promise<void>((resolve) => stdout.write(document, resolve));
    await new Promise<void>((resolve) => stderr.write('', resolve));
  }

  /** Names and notes of builds must not act as commands in a CI that reads standard output. Other readers get them unchanged. */
  private inert(text: string): string {
    const { environment } = this.options;
    return CI_VARIABLES.some((name) => environment[name]) ? textWithoutCommands(text) : text;
  }

  private colored(text: string): string {
    return text.replaceAll(this.mark, SEQUENCE);
  }

  private talk(text: string): void {
    const line = this.statusLine;
    this.status('');
    this.options.stderr.write(`${this.colored(textWithoutCommands(visible(this.secrets.mask(text))))}\n`);
    this.status(line);
  }
}
