import { type RequestContext } from '#kernel/context/request-context';
import { type WebhookDeliveryDetailResponse, type WebhookDeliveryResponse } from './deliveries/deliveries.dto';
import { type ListedDelivery } from './deliveries/deliveries.repository';
import { type ShownDelivery } from './deliveries/deliveries.service';
import {
  type NewWebhookResponse,
  type UpdateWebhookRequest,
  type WebhookFilterRequest,
  type WebhookResponse,
} from './endpoints/webhooks.dto';
import { type LabelledWebhook, type NewWebhook, type SettingsChange } from './endpoints/webhooks.service';
import { DOWNLOADS_COUNTED, type WebhookFilter } from './webhook';

export const toFilter = (filter: WebhookFilterRequest = {}): WebhookFilter => ({
  // The API accepts ids in upper case, and events have them in lower case.
  channelIds: (filter.channel_ids ?? []).map((id) => id.toLowerCase()),
  platforms: filter.platforms ?? [],
  branches: filter.branches ?? [],
});

/** Absent fields stay absent. */
export function toSettingsChange({ name, url, format, types, filter, ...body }: UpdateWebhookRequest): SettingsChange {
  const { include_links: includeLinks, state } = body;
  return {
    ...(name !== undefined && { name }),
    ...(url !== undefined && { url }),
    ...(format !== undefined && { format }),
    ...(types !== undefined && { types }),
    ...(filter !== undefined && { filter: toFilter(filter) }),
    ...(includeLinks !== undefined && { includeLinks }),
    ...(state !== undefined && { paused: true }),
  };
}

export const toWebhookResponse = (ctx: RequestContext, webhook: LabelledWebhook): WebhookResponse => ({
  id: webhook.id,
  organization_id: webhook.organizationId,
  project_id: webhook.projectId,
  name: webhook.name,
  host: webhook.host,
  format: webhook.format,
  types: webhook.types,
  filter: {
    channel_ids: [...webhook.filter.channelIds],
    platforms: [...webhook.filter.platforms],
    branches: [...webhook.filter.branches],
  },
  include_links: webhook.includeLinks,
  state: webhook.state,
  off_reason: webhook.offReason,
  behind: Number(webhook.behind ?? 0),
  failing_since: webhook.failingSince?.toISOString() ?? null,
  next_attempt_at: webhook.state === 'on' && webhook.attempt > 0 ? webhook.nextAt.toISOString() : null,
  last_status: webhook.lastStatus,
  last_error: webhook.lastError,
  last_attempt_at: webhook.lastAt?.toISOString() ?? null,
  previous_secret_until: validUntil(ctx, webhook),
  created_by: webhook.createdBy,
  created_by_label: webhook.createdByLabel,
  created_at: webhook.createdAt.toISOString(),
});

const validUntil = (ctx: RequestContext, { oldSecretUntil }: LabelledWebhook): string | null =>
  oldSecretUntil !== null && oldSecretUntil > ctx.clock.now() ? oldSecretUntil.toISOString() : null;

export const toNewWebhookResponse = (ctx: RequestContext, webhook: NewWebhook): NewWebhookResponse => ({
  ...toWebhookResponse(ctx, webhook),
  secret: webhook.secret,
});

export const toDeliveryResponse = (delivery: ListedDelivery): WebhookDeliveryResponse => ({
  id: delivery.id,
  webhook_id: delivery.webhookId,
  position: delivery.position === null ? null : Number(delivery.position),
  event_id: delivery.eventId,
  event_type: delivery.eventType,
  test: delivery.position === null && delivery.eventType !== DOWNLOADS_COUNTED,
  state: delivery.state,
  attempts: delivery.attempts,
  last_status: delivery.lastStatus,
  last_error: delivery.lastError,
  last_ms: delivery.lastMs,
  last_attempt_at: delivery.lastAt?.toISOString() ?? null,
  created_at: delivery.createdAt.toISOString(),
});

export const toDeliveryDetailResponse = (delivery: ShownDelivery): WebhookDeliveryDetailResponse => ({
  ...toDeliveryResponse(delivery),
  body: delivery.body,
  answer: delivery.answer,
});
