import { type Client } from '@agate/client';
import { notFoundError, usageError } from '../output/cli-error';
import { type Settings } from './settings';

/** The project of requests, as their query. Empty with a project access token, which implies its project. */
export interface ProjectScope {
  readonly organization_id?: string;
  readonly project_id?: string;
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Whether a text is an id. Everything else is a name. */
export const isId = (text: string): boolean => UUID.test(text);

const isProjectToken = (token: string | null): boolean => token?.startsWith('ag_prj_') ?? false;

/** The project that the settings name. @throws CliError when they name none, or one that does not exist. */
export async function resolveScope(client: Client, settings: Settings): Promise<ProjectScope> {
  if (isProjectToken(settings.token)) return {};
  const organizationId = await organizationOf(client, settings);
  const { project } = settings;
  if (project !== undefined && isId(project)) return { organization_id: organizationId, project_id: project };
  const query = { organization_id: organizationId, limit: 1000, ...(project !== undefined && { q: project }) };
  const { items } = await client.request('GET /projects', { query });
  const found = project === undefined ? items : withName(items, project);
  return { organization_id: organizationId, project_id: theOnly('project', project, found) };
}

/** The ids of a scope. A project access token does not need them as a query, but in the path of a route. */
export async function idsOf(client: Client, scope: ProjectScope): Promise<Required<ProjectScope>> {
  const { organization_id, project_id } = scope;
  if (organization_id !== undefined && project_id !== undefined) return { organization_id, project_id };
  const { organization, project } = await client.request('GET /credential');
  if (!organization || !project) throw usageError('Name the project with --project.');
  return { organization_id: organization.id, project_id: project.id };
}

/** The id of the organization that the settings name, or of the only one. @throws CliError when that is ambiguous. */
export async function organizationOf(client: Client, { organization }: Settings): Promise<string> {
  if (organization !== undefined && isId(organization)) return organization;
  const all = await client.request('GET /organizations');
  const found = organization === undefined ? all : withName(all, organization);
  return theOnly('organization', organization, found);
}

export const isSameName = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** The items with exactly this name. Without any, those whose name differs only in case. */
export function withName<Item extends { readonly name: string }>(items: readonly Item[], name: string): Item[] {
  const exact = items.filter((item) => item.name === name);
  return exact.length > 0 ? exact : items.filter((item) => isSameName(item.name, name));
}

function theOnly(
  kind: 'organization' | 'project',
  name: string | undefined,
  found: readonly { readonly id: string; readonly name: string }[],
): string {
  const [first] = found;
  if (first && found.length === 1) return first.id;
  const how = `Set AGATE_${kind.toUpperCase()}, or use --${kind}.`;
  if (name === undefined && first) {
    throw usageError(`There are several: ${found.map((each) => each.name).join(', ')}. ${how}`);
  }
  if (first) throw usageError(`Several have the name "${name}". Use the id of the ${kind}.`);
  throw notFoundError(
    name === undefined
      ? `This credential has access to no ${kind}.`
      : `There is no ${kind} "${name}", or this credential has no access to it.`,
  );
}
