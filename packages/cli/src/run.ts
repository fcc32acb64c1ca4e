import { CommanderError } from 'commander';
import { outputHost } from './ci/next-step';
import { detectTargets, publishFailure } from './ci/outputs';
import { Context, type ProcessFacts } from './context';
import { useProxies } from './network/proxy';
import { CliError, ExitCode, interruptedError } from './output/cli-error';
import { type Failure, failureOf } from './output/failure';
import { Output } from './output/output';
import { createProgram } from './program';

/** Runs the command that the arguments name and resolves with the exit code. Errors are reported, never thrown. */
export async function run(argv: readonly string[], facts: ProcessFacts): Promise<ExitCode> {
  const output = new Output({
    stdout: facts.stdout,
    stderr: facts.stderr,
    environment: facts.environment,
    json: wantsJson(argv, facts),
  });
  const context = new Context(facts, output);
  const program = createProgram(context).hook('preAction', () => useProxies(facts.environment));
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return ExitCode.done;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return ExitCode.done;
    const failure = failureOf(facts.signal.aborted && !(error instanceof CliError) ? interruptedError() : error);
    output.fail(failure, failure.help === undefined ? null : await context.helpAddress(failure.help));
    annotate(program.args[0], context, failure);
    if (failure.exitCode === ExitCode.defect && error instanceof Error) output.debug(error.stack ?? '');
    return failure.exitCode;
  } finally {
    await output.end();
  }
}

/** Shows a failed upload or promotion among the errors of the CI job. For other commands, a failure can be an ordinary answer. */
function annotate(command: string | undefined, context: Context, { exitCode, message }: Failure): void {
  if (exitCode === ExitCode.interrupted || !['upload', 'promote'].includes(command ?? '')) return;
  publishFailure(detectTargets(context.environment), message, outputHost(context));
}

/** Read before the arguments are parsed, so that an error in them is reported as JSON, too. */
const wantsJson = (argv: readonly string[], { environment }: ProcessFacts): boolean =>
  argv.includes('--json') || environment['AGATE_JSON'] !== undefined;
