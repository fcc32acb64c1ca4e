import { userInfo } from 'node:os';
import { createInterface } from 'node:readline/promises';
import { Command, CommanderError } from 'commander';
import { type Clock } from '#kernel/context/clock';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { newId } from '#kernel/ids';
import { type OperatorCommand, type OperatorInput, type ReportProgress } from '#modules/operators';
import { formatError, UsageError } from './format-error';
import { formatResult } from './format-result';

/** Input and output of a command. Tests replace it. */
export interface Console {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Asks the operator a question; null when standard input is not a terminal. */
  readonly ask: (question: string) => Promise<string> | null;
  /** Shows progress. False when standard error is not a terminal. */
  readonly showsProgress: boolean;
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
  /** Throws when a command cannot run, because of the database schema. */
  readonly ready?: (command: OperatorCommand) => Promise<void>;
}

const [SUCCESS, FAILURE, USAGE] = [0, 1, 2];

/** Builds the command line program: help, confirmation before changes, `--yes`, `--json`, `--dry-run`. */
export function operatorProgram(
  commands: readonly OperatorCommand[],
  clock: Clock,
  { io = TERMINAL, ready = () => Promise.resolve() }: ProgramOptions = {},
): OperatorProgram {
  return {
    async run(words) {
      let status = SUCCESS;
      const asJson = words.includes('--json');
      const program = newProgram(io, asJson);
      // Listed here, and handled before the database is opened.
      program.command('setup').description('Write the settings and secrets of a new installation to one .env');
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
          if (error.exitCode === 0) return SUCCESS;
          // In text mode, commander has already printed the error and the help.
          if (asJson) io.err(formatError(new UsageError(error.message), { asJson }));
          return USAGE;
        }
        io.err(formatError(error, { asJson }));
        return error instanceof UsageError ? USAGE : FAILURE;
      }
    },
  };
}

function newProgram(io: Console, asJson: boolean): Command {
  const program = new Command('npm run operator --').description('Operate an Agate installation.');
  program.showHelpAfterError().exitOverride();
  program.configureOutput({ writeOut: io.out, writeErr: asJson ? () => undefined : io.err });
  return program;
}

/** `jobs retry` becomes the subcommand `retry` of the command `jobs`. */
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
  command.option('--json', 'print the result as JSON');
  if (effect)
    command.option('--yes', 'do not ask for confirmation').option('--dry-run', 'only print what would change');
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
    const status = await confirmEffect(await command.effect(ctx, input), common, io);
    if (status !== null) return status;
  }
  const result = await command.run(ctx, input, progressBar(io)).catch(nameMissingOrganization(input));
  const print = command.writesOutput?.(input) ? io.err : io.out;
  print(common.json ? `${JSON.stringify(result, null, 2)}\n` : formatResult(result));
  return command.hasFaults?.(result) ? FAILURE : SUCCESS;
}

/** The API hides a missing organization behind `permission_denied`. Operators may know that it does not exist. */
const nameMissingOrganization =
  ({ organization_id: id }: OperatorInput) =>
  (error: unknown): never => {
    const isMissing = id !== undefined && error instanceof AppError && error.errorCase === 'permission_denied';
    throw isMissing ? new AppError('not_found', { message: `There is no organization ${id}.` }) : error;
  };

/** Prints the effect and asks for confirmation. @returns the exit status; null to run the command. */
async function confirmEffect(
  effect: string,
  { json, yes, dryRun }: CommonOptions,
  io: Console,
): Promise<number | null> {
  if (dryRun) {
    io.out(json ? `${JSON.stringify({ dry_run: true, effect })}\n` : `${effect} Nothing was changed.\n`);
    return SUCCESS;
  }
  return yes || (await confirm(effect, io)) ? null : USAGE;
}

function inputOf({ parameters = [], options = [] }: OperatorCommand, typed: Command): OperatorInput {
  const given: Readonly<Record<string, string | boolean | undefined>> = typed.opts();
  const camelCase = (name: string): string => name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
  return {
    ...Object.fromEntries(options.map(({ name }) => [name, given[camelCase(name)]?.toString()])),
    ...Object.fromEntries(parameters.map(({ name }, index) => [name, typed.args[index]])),
  };
}

async function confirm(effect: string, io: Console): Promise<boolean> {
  const answer = io.ask(`${effect} Continue? [y/N] `);
  if (answer === null) {
    throw new UsageError(`${effect}\nConfirmation needs a terminal. Use --yes to continue without it.`);
  }
  return /^y(es)?$/i.test((await answer).trim());
}

const BAR_WIDTH = 30;

/** Overwrites one line: `[##########          ] 12 of 36 artifacts`. */
const progressBar =
  (io: Console): ReportProgress =>
  (done, total, part = '') => {
    if (!io.showsProgress) return;
    const filled = total ? Math.floor((BAR_WIDTH * done) / total) : 0;
    const bar = total === undefined ? '' : `[${'#'.repeat(filled).padEnd(BAR_WIDTH)}] `;
    const count = total === undefined ? `${done}` : `${done} of ${total}`;
    io.err(`\r${bar}${count} ${part}${done === total ? '\n' : ''}`);
  };

export const TERMINAL: Console = {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  ask: (question) => {
    if (!process.stdin.isTTY) return null;
    const lines = createInterface({ input: process.stdin, output: process.stderr });
    return lines.question(question).finally(() => lines.close());
  },
  showsProgress: process.stderr.isTTY,
};
