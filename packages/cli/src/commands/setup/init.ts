import { type ProjectRole } from '@agate/client';
import { Command, Option } from 'commander';
import { type Context } from '../../context';
import { chooseProject, type ChosenProject } from '../../init/choose-project';
import { CI_SYSTEMS } from '../../init/ci-systems';
import { decideToReplace, writeProjectFile } from '../../init/project-settings';
import { type CiSystem } from '../../init/snippet';
import { chooseArtifact, chooseSystems, systemWith } from '../../init/steps';
import { addressToLogInTo } from '../../login/address-of-service';
import { rejectWithoutAccount, withSession } from '../../login/password-login';
import { severalValues } from '../../option-values';
import { PROJECT_FILE, type ProjectFile } from '../../settings/project-file';
import { findStoredLogin, type Settings } from '../../settings/settings';
import { agrees } from '../../terminal/questions';
import { logIn } from '../account/login';

interface Options {
  readonly channel?: string;
  readonly ci?: readonly string[];
  readonly file?: string;
  readonly create?: boolean;
  readonly force?: boolean;
  readonly token?: boolean;
  readonly email?: string;
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
    .addOption(
      new Option('--token', 'create a project access token for the CI and print it; asks for your password').env(
        'AGATE_CREATE_TOKEN',
      ),
    )
    .option('--email <address>', 'with --token: the account')
    .option('--force', `replace ${PROJECT_FILE} if it exists`)
    .action((options: Options) => init(context, options));

async function init(context: Context, options: Options): Promise<void> {
  // This check runs before a person answers questions and before anything is created.
  options.ci?.forEach(systemWith);
  if (options.token) rejectWithoutAccount(context, options.email);
  const replaces = await decideToReplace(context, options.force ?? false);
  const settings = await settingsOrLogin(context);
  const wanted: Settings = { ...settings, channels: options.channel ? [options.channel] : settings.channels };
  const chosen = await chooseProject(context, wanted, options.create ?? false);
  const systems = await chooseSystems(context, options.ci);
  const artifact = await chooseArtifact(context, options.file);
  // The token comes first: without it, nothing is written.
  const token = (await wantsToken(context, options)) ? await createToken(context, settings.url, chosen, options) : null;
  const written = fileOf(settings.url, chosen);
  await writeProjectFile(context.process.cwd, written, replaces);
  context.output.say(`${PROJECT_FILE} is written. Commit it: it contains no secret.`);
  const ci = systems.map(({ id, name, place, secret, snippet }) => ({
    ...{ id, name, place, secret },
    snippet: snippet({ url: settings.url, artifact }),
  }));
  const text = [...ci.map(textOf), ...(token === null ? [] : [`AGATE_TOKEN=${token}\n`])].join('\n');
  context.output.print({ file: PROJECT_FILE, settings: written, token, ci }, text);
  if (token === null) context.output.say(`Create the token in the dashboard, or with ${tokenCommandOf(chosen)}`);
}

/** The settings. A person without a credential logs in first. */
async function settingsOrLogin(context: Context): Promise<Settings> {
  if (!context.isInteractive || context.environment['AGATE_TOKEN']) return context.settings();
  const url = await addressToLogInTo(context);
  context.configure({ ...context.options, url });
  if (findStoredLogin(url, context.environment) === null) await logIn(context, url, {});
  return context.settings();
}

const fileOf = (url: string, { organization, project, channel }: ChosenProject): ProjectFile => ({
  url,
  organization: organization.name,
  project: project.name,
  ...(channel !== null && { channel }),
});

const roleFor = ({ channel }: ChosenProject): ProjectRole => (channel === null ? 'UPLOAD_BUILD' : 'MANAGE_RELEASES');

const tokenCommandOf = (chosen: ChosenProject): string => `agate token create CI --role ${roleFor(chosen)}`;

const wantsToken = async (context: Context, { token = false }: Options): Promise<boolean> =>
  token || (context.isInteractive && agrees(context, 'Create the token for the CI now? This needs your password.'));

/** Tokens can be created only with a login by password. */
function createToken(context: Context, url: string, chosen: ChosenProject, { email }: Options): Promise<string> {
  const query = { organization_id: chosen.organization.id, project_id: chosen.project.id };
  const body = { name: 'CI', role: roleFor(chosen) };
  return withSession(context, { url, email }, async ({ client }) => {
    const { token } = await client.request('POST /project-access-tokens', { query, body });
    return token;
  });
}

const textOf = ({
  name,
  place,
  secret,
  snippet,
}: Omit<CiSystem, 'snippet' | 'signs' | 'id'> & { snippet: string }): string =>
  `# ${name}: add this to ${place}.\n# The token: ${secret}.\n\n${snippet}`;
