import { type Client, type ResponseOf } from '@agate/client';
import { type Context } from '../../context';
import { allItemsOf } from '../../network/pages';
import { notFoundError } from '../../output/cli-error';
import { organizationOf, type ProjectScope, withName } from '../../settings/scope';

export type Webhook = ResponseOf<'GET /webhooks'>['items'][number];

/** The project, if the settings name one, else the organization. */
export interface WebhookScope {
  readonly organization_id: string;
  readonly project_id?: string;
}

/** The rows that the settings name: those of a project, or of the whole organization. */
export async function webhookScope(context: Context, client?: Client): Promise<WebhookScope> {
  const [own, settings] = await Promise.all([client ?? context.client(), context.settings()]);
  const organizationId = await organizationOf(own, settings);
  if (settings.project === undefined) return { organization_id: organizationId };
  const { project_id }: ProjectScope = await context.scope();
  return { organization_id: organizationId, ...(project_id !== undefined && { project_id }) };
}

/** The organization, which identifies a webhook, also one of a project. */
export const organizationScope = async (context: Context): Promise<Pick<WebhookScope, 'organization_id'>> => ({
  organization_id: await organizationOf(await context.client(), await context.settings()),
});

export async function allWebhooks(context: Context): Promise<Webhook[]> {
  const [client, scope] = await Promise.all([context.client(), webhookScope(context)]);
  return allItemsOf((page) => client.request('GET /webhooks', { query: { ...scope, ...page } }));
}

/** The webhook with an id or a name. @throws CliError when there is none, or several have the name. */
export async function findWebhook(context: Context, wanted: string): Promise<Webhook> {
  const all = await allWebhooks(context);
  const byId = all.find(({ id }) => id === wanted);
  const [found, ...others] = byId ? [byId] : withName(all, wanted);
  if (!found) throw notFoundError(`There is no webhook "${wanted}". Use agate webhooks list.`);
  if (others.length > 0) throw notFoundError(`Several webhooks have the name "${wanted}". Use the id of one.`);
  return found;
}
