import { type TestApp } from '../app/test-app';
import { type WebhookReceiver } from '../servers/webhook-receiver';
import { type Developer, type OrganizationRef } from './actors';

export const RECEIVERS_HERE = { WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' };

export interface WebhookJson {
  readonly id: string;
  readonly secret: string;
  readonly state: string;
  readonly off_reason: string | null;
  readonly behind: number;
  readonly failing_since: string | null;
  readonly next_attempt_at: string | null;
  readonly last_status: number | null;
  readonly last_error: string | null;
  readonly [key: string]: unknown;
}

export interface DeliveryJson {
  readonly id: string;
  readonly event_id: string;
  readonly event_type: string;
  readonly state: string;
  readonly attempts: number;
  readonly last_status: number | null;
  readonly last_error: string | null;
  readonly test: boolean;
  readonly [key: string]: unknown;
}

/** The parents of webhooks, as a query. */
export const of = ({ id }: OrganizationRef, projectId?: string): string =>
  `organization_id=${id}${projectId ? `&project_id=${projectId}` : ''}`;

interface WebhookOptions {
  readonly projectId?: string;
  readonly types?: readonly string[];
  readonly [field: string]: unknown;
}

/** Creates a webhook of an organization, or of a project. */
export async function createsWebhook(
  developer: Developer,
  organization: OrganizationRef,
  receiver: Pick<WebhookReceiver, 'url'>,
  { projectId, types = ['project.created'], ...fields }: WebhookOptions = {},
): Promise<WebhookJson> {
  const body = { name: 'Test', url: receiver.url, types, ...fields };
  const { body: created } = await developer.post(`/webhooks?${of(organization, projectId)}`, body).expect(201);
  return created as WebhookJson;
}

export async function readsWebhook(
  developer: Developer,
  organization: OrganizationRef,
  id: string,
): Promise<WebhookJson> {
  return (await developer.get(`/webhooks/${id}?${of(organization)}`).expect(200)).body as WebhookJson;
}

export async function listsDeliveries(
  developer: Developer,
  organization: OrganizationRef,
  id: string,
  state = '',
): Promise<readonly DeliveryJson[]> {
  const { body } = await developer.get(`/webhooks/${id}/deliveries?${of(organization)}&state=${state}`).expect(200);
  return (body as { items: DeliveryJson[] }).items;
}

/** Makes the next attempt of a webhook due now. */
export const isDueNow = (app: TestApp, id: string): Promise<unknown> =>
  app.sql('UPDATE webhook SET next_at = app_now() WHERE id = $1', [id]);

/** Makes all webhooks count as those whose last attempt succeeded quickly, which may use every slot. */
export const areQuick = (app: TestApp): Promise<unknown> => app.sql('UPDATE webhook SET is_quick = true');
