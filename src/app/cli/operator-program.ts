import { createInterface } from 'node:readline/promises';
import { userInfo } from 'node:os';
import { Command, CommanderError } from 'commander';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { newId } from '#kernel/ids';
import { type Clock } from '#kernel/context/clock';
import { type OperatorCommand, type OperatorInput, type ReportProgress } from '#modules/operators';
import { answerAsText } from './answer-as-text';
import { explain, MisuseError } from './explain';

/** Where a command reads and writes; a test brings its own. */
export interface Console {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** The answer to a question, or null where nobody can be asked. */
  readonly ask: (question: string) => Promise<string> | null;
  /** Whether somebody watches: progress is shown only then. */
  readonly watched: boolean;
}

interface CommonOptions {
  readonly json?: boolean;
  readonly yes?: boolean;
  readonly dryRun?: boolean;
}

export interface OperatorProgram {
  /** @returns the exit status. */
  run(words: readonly string[]): Promise<number>;
}

export interface ProgramOptions {
  readonly io?: Console;
  /** Throws when a command cannot work at the moment. */
  readonly ready?: (command: OperatorCommand) => Promise<void>;
}

const [DONE, FAILED, MISUSED] = [0, 1, 2];

/** The commands as a program: help, questions before changes, `--json`, `--dry-run`. */
export function operatorProgram(
  commands: readonly OperatorCommand[],
  clock: Clock,
  { io = TERMINAL, ready = () => Promise.resolve() }: ProgramOptions = {},
): OperatorProgram {
  return {
    async run(words) {
      let status = DONE;
      const asJson = words.includes('--json');
      const program = newProgram(io, asJson);
      for (const command of commands) {
        declare(program, command).action(async (...given: unknown[]) => {
          await ready(command);
          status = await execute(command, given.at(-1) as Command, clock, io);
        });
      }
      try {
        await program.parseAsync([...words], { from: 'user' });
        return status;
      } catch (error) {
        if (error instanceof CommanderError) {
          if (error.exitCode === 0) return DONE;
          // For a person the library has told it, with the help.
          if (asJson) io.err(explain(new MisuseError(error.message), { asJson }));
          return MISUSED;
        }
        io.err(explain(error, { asJson }));
        return error instanceof MisuseError ? MISUSED : FAILED;
      }
    },
  };
}

function newProgram(io: Console, asJson: boolean): Command {
  const program = new Command('npm run operator --').description('What the people who run Agate do by hand.');
  program.showHelpAfterError().exitOverride();
  program.configureOutput({ writeOut: io.out, writeErr: asJson ? () => undefined : io.err });
  return program;
}

/** `jobs retry` is the command `retry` of the command `jobs`. */
function declare(program: Command, { name, summary, parameters = [], options = [], effect }: OperatorCommand): Command {
  const words = name.split(' ');
  const last = words.pop() ?? name;
  let parent = program;
  for (const word of words) {
    parent = parent.commands.find((found) => found.name() === word) ?? parent.command(word);
  }
  const command = parent.command(last).description(summary);
  for (const { name: parameter, describe } of parameters) command.argument(`<${parameter}>`, describe);
  for (const option of options) {
    command.option(`--${option.name.replaceAll('_', '-')}${option.flag ? '' : ' <value>'}`, option.describe);
  }
  command.option('--json', 'answer as JSON');
  if (effect) command.option('--yes', 'do not ask').option('--dry-run', 'only say what would change');
  return command;
}

async function execute(command: OperatorCommand, typed: Command, clock: Clock, io: Console): Promise<number> {
  const common = typed.opts<CommonOptions>();
  const input = inputOf(command, typed);
  const ctx: RequestContext = {
    requestId: newId(),
    sourceIp: null,
    identity: { kind: 'operator', name: userInfo().username },
    clock,
  };
  if (command.effect) {
    const ended = await announce(await command.effect(ctx, input), common, io);
    if (ended !== null) return ended;
  }
  const answer = await command.run(ctx, input, progressOn(io)).catch(tellWhoIsMissing(input));
  const tell = command.takesOutput?.(input) ? io.err : io.out;
  tell(common.json ? `${JSON.stringify(answer, null, 2)}\n` : answerAsText(answer));
  return command.finds?.(answer) ? FAILED : DONE;
}

/** Nothing is denied to operators: what a client may not know to be missing, they are told. */
const tellWhoIsMissing =
  ({ organization_id: id }: OperatorInput) =>
  (error: unknown): never => {
    const isMissing = id !== undefined && error instanceof AppError && error.errorCase === 'permission_denied';
    throw isMissing ? new AppError('not_found', { message: `There is no organization ${id}.` }) : error;
  };

/** Says what will change, and asks. @returns the exit status when it shall not. */
async function announce(effect: string, { json, yes, dryRun }: CommonOptions, io: Console): Promise<number | null> {
  if (dryRun) {
    io.out(json ? `${JSON.stringify({ dry_run: true, effect })}\n` : `${effect} Nothing was changed.\n`);
    return DONE;
  }
  return yes || (await confirmed(effect, io)) ? null : MISUSED;
}

function inputOf({ parameters = [], options = [] }: OperatorCommand, typed: Command): OperatorInput {
  const given: Readonly<Record<string, string | boolean | undefined>> = typed.opts();
  const camelCase = (name: string): string => name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
  return {
    ...Object.fromEntries(options.map(({ name }) => [name, given[camelCase(name)]?.toString()])),
    ...Object.fromEntries(parameters.map(({ name }, index) => [name, typed.args[index]])),
  };
}

async function confirmed(effect: string, io: Console): Promise<boolean> {
  const answer = io.ask(`${effect} Go on? [y/N] `);
  if (answer === null) {
    throw new MisuseError(`${effect}\nNobody can be asked here. Say --yes to go on.`);
  }
  return /^y(es)?$/i.test((await answer).trim());
}

const BAR_WIDTH = 30;

/** A line that is written over and over: `[##########          ] 12 of 36 artifacts`. */
const progressOn =
  (io: Console): ReportProgress =>
  (done, total, part = '') => {
    if (!io.watched) return;
    const filled = total ? Math.floor((BAR_WIDTH * done) / total) : 0;
    const bar = total === undefined ? '' : `[${'#'.repeat(filled).padEnd(BAR_WIDTH)}] `;
    const counted = total === undefined ? `${done}` : `${done} of ${total}`;
    io.err(`\r${bar}${counted} ${part}${done === total ? '\n' : ''}`);
  };

const TERMINAL: Console = {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  ask: (question) => {
    if (!process.stdin.isTTY) return null;
    const lines = createInterface({ input: process.stdin, output: process.stderr });
    return lines.question(question).finally(() => lines.close());
  },
  watched: process.stderr.isTTY,
};
