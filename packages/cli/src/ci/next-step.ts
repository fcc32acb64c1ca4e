import { type Command, Option } from 'commander';
import { type Context } from '../context';
import { usageError } from '../output/cli-error';
import { detectTargets, localOutputHost, parseTargets, prepareTargets, publishBuilds } from './outputs';
import { type OutputHost, type Target, type UploadedBuild } from './outputs';

export interface NextStepOptions {
  readonly output?: string;
  readonly dotenv?: string;
}

/** Adds the options that choose where the result is written for the next step of a pipeline. */
export const addNextStepOptions = (command: Command): Command =>
  command
    .addOption(
      new Option(
        '--output <list>',
        'where the next step reads the result: github, azure, teamcity, bitrise, buildkite, dotenv=<file>, none; default: by the CI',
      ),
    )
    .addOption(new Option('--dotenv <file>', 'write the result as variables, for GitLab, Jenkins and others'));

/** Passes the result of a command to the next step of its pipeline. */
export class NextStep {
  private readonly targets: readonly Target[];
  private readonly host: OutputHost;

  /** @throws CliError when an option is not valid. */
  constructor(
    private readonly context: Context,
    { output, dotenv }: NextStepOptions,
  ) {
    const file: Target[] = dotenv === undefined ? [] : [{ kind: 'dotenv', file: dotenv }];
    this.targets = [...targetsOf(output, context.environment), ...file];
    this.host = outputHost(context);
  }

  /** Empties the files to be written. Call it before anything is sent. @throws CliError when a file cannot be written. */
  prepare(): void {
    try {
      prepareTargets(this.targets, this.host);
    } catch (error) {
      throw usageError(`The file for the next step cannot be written: ${(error as Error).message}. Use another path.`);
    }
  }

  /** Writes the builds where the next step reads them. A file that cannot be written causes a warning only: the builds are uploaded. */
  publish(builds: readonly UploadedBuild[]): void {
    for (const problem of publishBuilds(this.targets, builds, this.host)) this.context.output.warn(problem);
  }
}

function targetsOf(output: string | undefined, environment: Context['environment']): Target[] {
  if (output === undefined) return detectTargets(environment);
  try {
    return parseTargets(output);
  } catch (error) {
    throw usageError((error as Error).message);
  }
}

/** The machine of the process, with lines that a CI is meant to interpret. */
export const outputHost = ({
  environment,
  process,
  output,
}: Pick<Context, 'environment' | 'process' | 'output'>): OutputHost =>
  localOutputHost({
    env: environment,
    cwd: process.cwd,
    isJson: output.isJson,
    writeLine: (stream, line) => output.command(stream, line),
  });
