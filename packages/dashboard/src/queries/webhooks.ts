import { type RequestOf, type ResponseOf } from '@agate/client';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api } from '../session/api';
import { byCursor } from './by-cursor';
import { PACE } from './client';
import { keyOf } from './keys';

export type Webhook = ResponseOf<'GET /webhooks'>['items'][number];
export type NewWebhook = ResponseOf<'POST /webhooks'>;
export type WebhookDraft = NonNullable<RequestOf<'POST /webhooks'>['body']>;
export type WebhookChanges = NonNullable<RequestOf<'PATCH /webhooks/{webhook_id}'>['body']>;
export type WebhookFormat = Webhook['format'];
export type WebhookDelivery = ResponseOf<'GET /webhooks/{webhook_id}/deliveries'>['items'][number];
export type WebhookDeliveryDetail = ResponseOf<'GET /webhook-deliveries/{webhook_delivery_id}'>;
export type DeliveryState = WebhookDelivery['state'];

/** The webhooks of an organization; with a project, only those of the project. */
export interface WebhookScope {
  readonly organization_id: string;
  readonly project_id?: string;
}

/** The organization identifies a webhook, also one of a project. */
const of = ({ organization_id }: WebhookScope) => ({ organization_id });

/** Deliveries are not in the stream of changes, and their readers wait for them. */
const DELIVERIES_EVERY_MS = 5_000;

/** The last answers of receivers are not in the stream of changes. */
export const webhooksQuery = (scope: WebhookScope) =>
  infiniteQueryOptions({
    queryKey: keyOf('webhooks', scope.organization_id, scope.project_id ?? ''),
    refetchInterval: PACE.counts,
    queryFn: ({ pageParam, signal }) =>
      api.request('GET /webhooks', { query: { ...scope, limit: 50, cursor: pageParam }, signal }),
    ...byCursor,
  });

export const webhookQuery = (scope: WebhookScope, id: string) =>
  queryOptions({
    queryKey: keyOf('webhook', scope.organization_id, id),
    refetchInterval: PACE.counts,
    queryFn: ({ signal }) =>
      api.request('GET /webhooks/{webhook_id}', { path: { webhook_id: id }, query: of(scope), signal }),
  });

export const deliveriesQuery = (scope: WebhookScope, id: string, state: DeliveryState | undefined) =>
  infiniteQueryOptions({
    queryKey: keyOf('webhook-deliveries', scope.organization_id, id, state ?? ''),
    refetchInterval: DELIVERIES_EVERY_MS,
    queryFn: ({ pageParam, signal }) =>
      api.request('GET /webhooks/{webhook_id}/deliveries', {
        path: { webhook_id: id },
        query: { ...of(scope), ...(state && { state }), limit: 50, cursor: pageParam },
        signal,
      }),
    ...byCursor,
  });

/** A delivery with its request and answer. */
export const deliveryQuery = (scope: WebhookScope, id: string) =>
  queryOptions({
    queryKey: keyOf('webhook-delivery', scope.organization_id, id),
    queryFn: ({ signal }) => findDelivery(scope, id, signal),
  });

const findDelivery = (scope: WebhookScope, id: string, signal?: AbortSignal): Promise<WebhookDeliveryDetail> =>
  api.request('GET /webhook-deliveries/{webhook_delivery_id}', {
    path: { webhook_delivery_id: id },
    query: of(scope),
    ...(signal && { signal }),
  });

export const createWebhook = (scope: WebhookScope, body: WebhookDraft): Promise<NewWebhook> =>
  api.request('POST /webhooks', { query: scope, body });

export const changeWebhook = (scope: WebhookScope, id: string, body: WebhookChanges): Promise<Webhook> =>
  api.request('PATCH /webhooks/{webhook_id}', { path: { webhook_id: id }, query: of(scope), body });

export const deleteWebhook = (scope: WebhookScope, id: string): Promise<undefined> =>
  api.request('DELETE /webhooks/{webhook_id}', { path: { webhook_id: id }, query: of(scope) });

export const rotateWebhookSecret = (scope: WebhookScope, id: string) =>
  api.request('POST /webhooks/{webhook_id}/rotate-secret', { path: { webhook_id: id }, query: of(scope) });

export const testWebhook = (scope: WebhookScope, id: string) =>
  api.request('POST /webhooks/{webhook_id}/test', { path: { webhook_id: id }, query: of(scope), body: {} });

const ATTEMPT_EVERY_MS = 500;
/** The longest attempt takes 15 seconds, and its job may wait for a slot. */
const ATTEMPT_WITHIN_MS = 25_000;

/** The delivery after its next attempt. Without one within 25 seconds, the delivery as it is. */
export async function afterAttempt(scope: WebhookScope, before: WebhookDelivery): Promise<WebhookDelivery> {
  for (let waited = 0; waited < ATTEMPT_WITHIN_MS; waited += ATTEMPT_EVERY_MS) {
    await new Promise((resolve) => setTimeout(resolve, ATTEMPT_EVERY_MS));
    const now = await findDelivery(scope, before.id);
    if (now.last_attempt_at !== before.last_attempt_at) return now;
  }
  return before;
}

export const resumeWebhook = (scope: WebhookScope, id: string, from: 'now' | 'where_it_stopped') =>
  api.request('POST /webhooks/{webhook_id}/resume', { path: { webhook_id: id }, query: of(scope), body: { from } });

export const redeliver = (scope: WebhookScope, id: string) =>
  api.request('POST /webhook-deliveries/{webhook_delivery_id}/redeliver', {
    path: { webhook_delivery_id: id },
    query: of(scope),
  });
