import path from 'node:path';
import { azureData, azureProperty, githubData, githubProperty, teamCityValue } from '../../output/escaping';
import { type OutputHost } from './output-host';
import { summaryOf } from './summary';
import { type Target } from './targets';
import { dotenvOf, outputsOf, type UploadedBuild, variablesOf } from './values';

type Kind = Target['kind'];
type Builds = readonly UploadedBuild[];

/**
 * Empties the files that are to be written, so that a failed upload leaves no result of an earlier one.
 * @throws when a file cannot be written. Nothing has been sent then.
 */
export function prepareTargets(targets: readonly Target[], host: OutputHost): void {
  for (const target of targets) if (target.kind === 'dotenv') host.writeFile(target.file, '');
}

/**
 * Passes the builds to the next step of the pipeline. Returns a sentence for each value that could not be written: the upload has
 * succeeded.
 * @throws when a file that was named by an option cannot be written.
 */
export function publishBuilds(targets: readonly Target[], builds: Builds, host: OutputHost): string[] {
  return targets.flatMap((target) => {
    if (target.kind === 'dotenv') {
      host.writeFile(target.file, dotenvOf(builds));
      return [];
    }
    try {
      PUBLISH[target.kind](builds, host);
      return [];
    } catch (error) {
      return [`The result could not be passed to the next step (${target.kind}): ${(error as Error).message}`];
    }
  });
}

/** Shows a failure where the CI shows errors. */
export function publishFailure(targets: readonly Target[], message: string, host: OutputHost): void {
  for (const { kind } of targets) {
    const line = FAILURE[kind]?.(message);
    if (line) host.writeLine(kind === 'teamcity' ? serviceStream(host) : 'stderr', line);
  }
}

const FAILURE: Partial<Record<Kind, (message: string) => string>> = {
  github: (message) => `::error title=Agate::${githubData(message)}`,
  azure: (message) => `##vso[task.logissue type=error]${azureData(message)}`,
  teamcity: (message) => `##teamcity[buildProblem description='${teamCityValue(message)}' identity='agate']`,
};

const PUBLISH: Readonly<Record<Exclude<Kind, 'dotenv'>, (builds: Builds, host: OutputHost) => void>> = {
  github(builds, host) {
    for (const { code, message } of warningsOf(builds)) {
      host.writeLine('stderr', `::warning title=${githubProperty(code)}::${githubData(message)}`);
    }
    const { GITHUB_OUTPUT: outputs, GITHUB_STEP_SUMMARY: summary } = host.env;
    if (outputs) host.appendFile(outputs, githubOutputs(outputsOf(builds), host));
    if (summary) host.appendFile(summary, `${summaryOf(builds)}\n`);
  },
  azure(builds, host) {
    for (const [name, value] of variablesOf(builds)) {
      host.writeLine('stderr', `##vso[task.setvariable variable=${name};isOutput=true]${azureData(value)}`);
    }
    for (const { code, message } of warningsOf(builds)) {
      host.writeLine('stderr', `##vso[task.logissue type=warning;code=${azureProperty(code)}]${azureData(message)}`);
    }
    const folder = host.env['AGENT_TEMPDIRECTORY'];
    if (!folder) return;
    const file = path.join(folder, `agate-${host.randomId()}.md`);
    host.writeFile(file, summaryOf(builds));
    host.writeLine('stderr', `##vso[task.uploadsummary]${file}`);
  },
  teamcity(builds, host) {
    const write = (line: string): void => host.writeLine(serviceStream(host), line);
    for (const [name, value] of variablesOf(builds)) {
      write(`##teamcity[setParameter name='env.${name}' value='${teamCityValue(value)}']`);
    }
    for (const { message } of warningsOf(builds)) {
      write(`##teamcity[message text='${teamCityValue(message)}' status='WARNING']`);
    }
  },
  bitrise(builds, host) {
    for (const [name, value] of variablesOf(builds)) {
      // Without the option, envman replaces `$NAME` in the value.
      host.run('envman', ['add', '--key', name, '--value', value, '--no-expand'], '');
    }
  },
  buildkite(builds, host) {
    for (const build of builds) {
      const style = build.warnings.length > 0 ? 'warning' : 'success';
      const context = `agate-${build.platform}`;
      host.run('buildkite-agent', ['annotate', '--style', style, '--context', context], summaryOf([build]));
    }
  },
};

const warningsOf = (builds: Builds): UploadedBuild['warnings'] => builds.flatMap(({ warnings }) => warnings);

/** TeamCity reads service messages from standard output, which must stay JSON when JSON was requested. */
const serviceStream = ({ isJson }: OutputHost): 'stdout' | 'stderr' => (isJson ? 'stderr' : 'stdout');

/** Lines of the file of outputs. The delimiter is random, because a value may contain any line. */
function githubOutputs(outputs: ReadonlyMap<string, string>, { randomId }: OutputHost): string {
  return [...outputs]
    .map(([name, value]) => {
      const delimiter = `agate_${randomId()}`;
      return `${name}<<${delimiter}\n${value}\n${delimiter}\n`;
    })
    .join('');
}
