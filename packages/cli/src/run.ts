import { CommanderError } from 'commander';
import { Context, type ProcessFacts } from './context';
import { interruptedError } from './output/cli-error';
import { ExitCode } from './output/exit-code';
import { failureOf } from './output/failure';
import { Output } from './output/output';
import { createProgram } from './program';

/** Runs the command that the arguments name and resolves with the exit code. Failures are reported, never thrown. */
export async function run(argv: readonly string[], facts: ProcessFacts): Promise<ExitCode> {
  const output = new Output({
    stdout: facts.stdout,
    stderr: facts.stderr,
    environment: facts.environment,
    json: wantsJson(argv, facts),
  });
  const context = new Context(facts, output);
  try {
    await createProgram(context).parseAsync([...argv], { from: 'user' });
    return ExitCode.done;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return ExitCode.done;
    const failure = failureOf(facts.signal.aborted ? interruptedError() : error);
    output.fail(failure);
    if (failure.exitCode === ExitCode.defect && error instanceof Error) output.debug(error.stack ?? '');
    return failure.exitCode;
  } finally {
    await output.end();
  }
}

/** Read before the arguments are parsed, so that an error in them is JSON too. */
const wantsJson = (argv: readonly string[], { environment }: ProcessFacts): boolean =>
  argv.includes('--json') || environment['AGATE_JSON'] !== undefined;
