import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const ROOT = join(__dirname, '../../..');

/** The file into which the build puts the command line. */
export const BUNDLE = join(ROOT, 'packages/cli/dist/agate.mjs');

/** A module that makes pipes look like a terminal to the program that it is loaded before. Without spaces, which separate options. */
const TERMINAL = 'data:text/javascript,[process.stdin,process.stderr].forEach((stream)=>(stream.isTTY=true))';

/** The output and the end of a run. */
export interface CliResult {
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Standard output as JSON. Throws when it is not exactly one document. */
  readonly json: <Document = Record<string, unknown>>() => Document;
}

export interface CliRunOptions {
  /** Variables beside those of the folder. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly stdin?: string | Buffer;
  /** Input and standard error look like a terminal, and the input stays open for answers. */
  readonly isTerminal?: boolean;
  readonly cwd?: string;
}

/** A run of the command line that has not ended. */
export interface CliRun {
  readonly child: ChildProcess;
  /** The text on standard error so far. */
  stderr(): string;
  readonly ended: Promise<CliResult>;
}

/** The bundled command line in an empty folder, with a home of its own and none of the variables of the tests. */
export class AgateCli {
  private constructor(
    readonly folder: string,
    private readonly environment: Readonly<Record<string, string>>,
  ) {}

  /** Builds the command line if its sources have changed. @param environment variables of every run. */
  static async create(environment: Readonly<Record<string, string>> = {}): Promise<AgateCli> {
    await buildCommandLine();
    const folder = mkdtempSync(join(tmpdir(), 'agate-cli-'));
    mkdirSync(join(folder, 'home'));
    mkdirSync(join(folder, 'work'));
    return new AgateCli(folder, environment);
  }

  /** The current folder of runs. It is empty at first. */
  get work(): string {
    return join(this.folder, 'work');
  }

  /** Writes a file into the current folder of runs and returns its path. */
  write(name: string, content: string | Buffer): string {
    const file = join(this.work, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    return file;
  }

  read(name: string): string {
    return readFileSync(join(this.work, name), 'utf8');
  }

  /** Whether the current folder of runs has a file. */
  has(name: string): boolean {
    return existsSync(join(this.work, name));
  }

  run(args: readonly string[], options: CliRunOptions = {}): Promise<CliResult> {
    return this.start(args, options).ended;
  }

  start(args: readonly string[], options: CliRunOptions = {}): CliRun {
    return this.spawns(process.execPath, [BUNDLE, ...args], options);
  }

  /** Runs any program with the folder and variables of this command line. */
  spawns(program: string, args: readonly string[], options: CliRunOptions = {}): CliRun {
    const { environment, stdin, isTerminal = false, cwd } = options;
    const child = spawn(program, args, {
      cwd: cwd ?? this.work,
      env: {
        PATH: process.env['PATH'],
        HOME: join(this.folder, 'home'),
        ...(isTerminal && { NODE_OPTIONS: `--import=${TERMINAL}`, NO_COLOR: '1' }),
        ...this.environment,
        ...environment,
      },
      stdio: [stdin === undefined && !isTerminal ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    });
    child.stdin?.on('error', () => undefined);
    if (!isTerminal) child.stdin?.end(stdin);
    const texts = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const) {
      child[name]!.setEncoding('utf8').on('data', (text: string) => (texts[name] += text));
    }
    const ended = new Promise<CliResult>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code) =>
        resolve({
          code,
          ...texts,
          json: <Document>() => JSON.parse(texts.stdout) as Document,
        }),
      );
    });
    return { child, stderr: () => texts.stderr, ended };
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

let built: Promise<void> | undefined;

/** Builds the command line and the GitHub Action if their sources have changed, once for each file of tests. */
export const buildCommandLine = (): Promise<void> => (built ??= build());

/** Another worker may build at the same time. */
async function build(): Promise<void> {
  for (;;) {
    const output = await new Promise<string | null>((resolve) => {
      let text = '';
      const child = spawn(process.execPath, [join(ROOT, 'scripts/build.mjs'), '--cli'], {
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (text += data.toString()));
      child.once('close', (code) => resolve(code === 0 ? null : text));
    });
    if (output === null) return;
    if (!output.includes('is installing or building')) throw new Error(output);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
