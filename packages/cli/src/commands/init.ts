import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Command, Option } from 'commander';
import { type Context } from '../context';
import { chooseProject } from '../init/choose-project';
import { CI_SYSTEMS, systemsIn } from '../init/ci-systems';
import { guessArtifact } from '../init/guess-artifact';
import { writeProjectFile } from '../init/project-settings';
import { type CiSystem } from '../init/snippet';
import { usageError } from '../output/cli-error';
import { PROJECT_FILE } from '../settings/project-file';
import { type Settings } from '../settings/settings';
import { severalValues } from './global-options';

interface Options {
  readonly channel?: string;
  readonly ci?: readonly string[];
  readonly file?: string;
  readonly create?: boolean;
  readonly force?: boolean;
}

export const initCommand = (context: Context): Command =>
  new Command('init')
    .description(`set up a repository: writes ${PROJECT_FILE} and prints the steps for its CI`)
    .option('--channel <name>', 'channel that gets the uploads')
    .addOption(
      new Option(
        '--ci <name>',
        `CI to print steps for: ${CI_SYSTEMS.map(({ id }) => id).join(', ')}; default: those found`,
      ).argParser(severalValues),
    )
    .option('--file <path>', 'file or folder that the CI is to upload')
    .option('--create', 'create the project and the channel if they do not exist')
    .option('--force', `replace ${PROJECT_FILE} if it exists`)
    .action(async (options: Options) => {
      const { cwd } = context.process;
      const settings = await context.settings();
      const systems = systemsFor(options, cwd);
      const wanted: Settings = { ...settings, channels: options.channel ? [options.channel] : settings.channels };
      const { organization, project, channel } = await chooseProject(context, wanted, options.create ?? false);
      const written = {
        url: settings.url,
        organization: organization.name,
        project: project.name,
        ...(channel !== null && { channel }),
      };
      await writeProjectFile(cwd, written, options.force ?? false);
      const artifact = options.file ?? guessArtifact((path) => existsSync(join(cwd, path)));
      const steps = systems.map((system) => ({ ...system, snippet: system.snippet({ url: settings.url, artifact }) }));
      const ci = steps.map(({ id, name, place, secret, snippet }) => ({ id, name, place, secret, snippet }));
      context.output.say(`${PROJECT_FILE} is written. Commit it: it contains no secret.`);
      context.output.print({ file: PROJECT_FILE, settings: written, ci }, ci.map(textOf).join('\n'));
    });

function systemsFor({ ci }: Options, folder: string): readonly CiSystem[] {
  if (!ci) return systemsIn((path) => existsSync(join(folder, path)));
  return ci.map((id) => {
    const system = CI_SYSTEMS.find((each) => each.id === id);
    if (system) return system;
    throw usageError(`There are no steps for "${id}". Use one of ${CI_SYSTEMS.map((each) => each.id).join(', ')}.`);
  });
}

const textOf = ({
  name,
  place,
  secret,
  snippet,
}: Omit<CiSystem, 'snippet' | 'signs' | 'id'> & { snippet: string }): string =>
  `# ${name}: add this to ${place}.\n# The token: ${secret}.\n\n${snippet}`;
