import { type Client, type OrganizationResponse, type ProjectResponse } from '@agate/client';
import { allChannels } from '../builds/channels';
import { type Context } from '../context';
import { allItemsOf } from '../network/pages';
import { notFoundError, usageError } from '../output/cli-error';
import { isId, isSameName, withName } from '../settings/scope';
import { type Settings } from '../settings/settings';
import { ask, choose } from '../terminal/questions';

/** The project and channel of a repository. */
export interface ChosenProject {
  readonly organization: { readonly id: string; readonly name: string };
  readonly project: { readonly id: string; readonly name: string };
  /** The name of the channel that uploads are promoted to. Null when they are not promoted. */
  readonly channel: string | null;
}

interface Named {
  readonly id: string;
  readonly name: string;
}

/**
 * Finds the organization, project and channel that the settings name, and asks a person for the missing ones. Missing projects and channels
 * are created when the person agrees, or when `create` allows it.
 * @throws CliError when a name is missing or unknown and no person can be asked.
 */
export async function chooseProject(
  context: Context,
  { channels: [wantedChannel], ...wanted }: Settings,
  create: boolean,
): Promise<ChosenProject> {
  const client = await context.client();
  const credential = await client.request('GET /credential');
  const { organization, project } = credential;
  if (organization && project) {
    rejectOther('organization', organization, wanted.organization);
    rejectOther('project', project, wanted.project);
    return { organization, project, channel: await chooseChannel(context, {}, wantedChannel, create) };
  }
  const organizations = organization ? [organization] : await client.request('GET /organizations');
  const chosen = await theOne(context, 'organization', organizations, wanted.organization);
  if (!chosen) throw usageError('You belong to no organization. Create one in the dashboard first.');
  const ownProject = await chooseOwnProject(context, client, chosen, wanted.project, create);
  const scope = { organization_id: chosen.id, project_id: ownProject.id };
  return {
    organization: chosen,
    project: ownProject,
    channel: await chooseChannel(context, scope, wantedChannel, create),
  };
}

/** @throws CliError when the token belongs to another organization or project than the settings name. */
function rejectOther(kind: 'organization' | 'project', own: Named, wanted: string | undefined): void {
  if (wanted === undefined || wanted === own.id || isSameName(wanted, own.name)) return;
  throw usageError(
    `The token belongs to the ${kind} "${own.name}", not to "${wanted}". Set AGATE_TOKEN to another one.`,
  );
}

async function chooseOwnProject(
  context: Context,
  client: Client,
  { id }: Pick<OrganizationResponse, 'id'>,
  wanted: string | undefined,
  create: boolean,
): Promise<Pick<ProjectResponse, 'id' | 'name'>> {
  const projects = await allItemsOf((page) =>
    client.request('GET /projects', { query: { organization_id: id, ...page } }),
  );
  const found = await theOne(context, 'project', projects, wanted, create ? undefined : 'a new project');
  if (found) return found;
  const name = wanted ?? (await ask(context, 'Name of the new project:'));
  return client.request('POST /projects', { query: { organization_id: id }, body: { name } });
}

async function chooseChannel(
  context: Context,
  scope: { readonly organization_id?: string; readonly project_id?: string },
  wanted: string | undefined,
  create: boolean,
): Promise<string | null> {
  if (wanted === undefined && !context.isInteractive) return null;
  const client = await context.client();
  const channels = await allChannels(client, scope);
  const [known] = wanted === undefined ? [] : withName(channels, wanted);
  if (known) return known.name;
  if (wanted !== undefined && !create)
    throw notFoundError(`There is no channel "${wanted}". Use --create to create it.`);
  const name = wanted ?? (await askForChannel(context, channels));
  if (name === null || channels.some((channel) => channel.name === name)) return name;
  return (await client.request('POST /channels', { query: scope, body: { name } })).name;
}

async function askForChannel(context: Context, channels: readonly Named[]): Promise<string | null> {
  const names = channels.map(({ name }) => name);
  const index = await choose(context, 'Which channel gets the uploads?', [...names, 'none'], 'a new channel');
  if (index < names.length) return names[index]!;
  return index === names.length ? null : ask(context, 'Name of the new channel:', 'Beta');
}

/** @returns null when it is to be created. @throws CliError when it is ambiguous and no person can be asked. */
async function theOne<Item extends Named>(
  context: Context,
  kind: 'organization' | 'project',
  items: readonly Item[],
  wanted: string | undefined,
  another?: string,
): Promise<Item | null> {
  if (wanted !== undefined) return named(kind, items, wanted, kind === 'project' && another === undefined);
  if (kind === 'organization' && items.length < 2) return items[0] ?? null;
  if (!context.isInteractive) throw usageError(`Name the ${kind} with --${kind}.`);
  const names = items.map(({ name }) => name);
  return items[await choose(context, `Which ${kind}?`, names, another)] ?? null;
}

function named<Item extends Named>(
  kind: string,
  items: readonly Item[],
  wanted: string,
  mayMiss: boolean,
): Item | null {
  const [found] = isId(wanted) ? items.filter(({ id }) => id === wanted) : withName(items, wanted);
  if (found || mayMiss) return found ?? null;
  throw notFoundError(`There is no ${kind} "${wanted}".${kind === 'project' ? ' Use --create to create it.' : ''}`);
}
