import { detectCiEnvironment, localMachine } from '../../cli/src/ci/environments';
import { summaryOf, textWithoutCommands, type UploadedBuild } from '../../cli/src/ci/outputs';
import { type TextStream } from '../../cli/src/output/output';
import { visible } from '../../cli/src/output/visible';
import { run } from '../../cli/src/run';
import { HostError, keepComment } from './comments';
import { filesOf } from './files';
import { argumentsOf, inputOf, isOn, linesOf, variablesOf } from './inputs';

/** The parts of the process that the action uses. */
export interface ActionProcess {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: () => string;
  readonly stdin: NodeJS.ReadableStream;
  readonly stdout: TextStream;
  readonly stderr: TextStream;
}

type Build = UploadedBuild & { readonly project_id: string };

/** The exit code for wrong inputs, equal to the command line's. */
const USAGE = 2;

/** Uploads the files that the inputs name, and resolves with the exit code of the step. */
export async function runAction(process: ActionProcess, signal: AbortSignal): Promise<number> {
  let argv;
  try {
    argv = [...argumentsOf(process.env), '--', ...filesOf(filesFrom(process), process.cwd())];
    isOn(process.env, 'comment');
  } catch (error) {
    process.stderr.write(
      `::error title=Agate::${(error as Error).message.replaceAll('%', '%25').replaceAll('\n', '%0A')}\n`,
    );
    return USAGE;
  }
  const result = { text: '' };
  const code = await run(argv, {
    environment: variablesOf(process.env),
    cwd: process.cwd(),
    stdin: process.stdin,
    stdout: collector(result),
    stderr: process.stderr,
    signal,
    now: Date.now,
  });
  if (code !== 0) return code;
  const document = JSON.parse(result.text) as Build | Build[];
  const builds = [document].flat();
  for (const build of builds) process.stdout.write(textWithoutCommands(`${visible(lineOf(build))}\n`));
  if (isOn(process.env, 'comment')) await comment(process, builds);
  return code;
}

function filesFrom({ env }: ActionProcess): string[] {
  const files = linesOf(env, 'file');
  if (files.length === 0) throw new TypeError('The input file is missing. Set it to the path of the build.');
  return files;
}

const collector = (result: { text: string }): TextStream => ({
  write(text, done) {
    result.text += text;
    done?.();
  },
});

const lineOf = ({ file_name, version, build_number, install_url, id }: Build): string =>
  `${file_name}: ${version}${build_number === null ? '' : ` (${build_number})`} ${install_url ?? id}`;

/** Keeps a comment for each platform. A comment that cannot be written is a warning: the builds are uploaded. */
async function comment(process: ActionProcess, builds: readonly Build[]): Promise<void> {
  const { env } = process;
  const { pullRequest, commit, url } = detectCiEnvironment(localMachine(env, process.cwd()));
  if (pullRequest === null) return;
  const page = {
    api: (env['GITHUB_API_URL'] ?? 'https://api.github.com').replace(/\/+$/, ''),
    repository: env['GITHUB_REPOSITORY'] ?? '',
    number: pullRequest,
    token: inputOf(env, 'github-token'),
  };
  const source = [commit && `Commit ${commit.slice(0, 8)}`, url && `[run](${url})`].filter(Boolean).join(', ');
  try {
    for (const [platform, group] of byPlatform(builds)) {
      const marker = `<!-- agate:${group[0]?.project_id}:${platform} -->`;
      await keepComment(page, marker, `${summaryOf(group)}\n${source}\n`);
    }
  } catch (error) {
    process.stderr.write(`::warning title=Agate::${warningOf(error)}\n`);
  }
}

function byPlatform(builds: readonly Build[]): Map<string, Build[]> {
  const groups = new Map<string, Build[]>();
  for (const build of builds) groups.set(build.platform, [...(groups.get(build.platform) ?? []), build]);
  return groups;
}

function warningOf(error: unknown): string {
  const isRefused = error instanceof HostError && [401, 403, 404].includes(error.status);
  if (isRefused) {
    return `The comment was refused with status ${error.status}. Add "permissions: pull-requests: write" to the job; runs of forks cannot comment.`;
  }
  return `The comment could not be written: ${(error as Error).message}`.replaceAll(/[\r\n]+/g, ' ');
}
