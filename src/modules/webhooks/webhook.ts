import { AUDIT_EVENT_TYPE_NAMES, type AuditEventType } from '#kernel/audit/audit-event';
import { type RecordedChange } from '#kernel/audit/change';
import { type Platform } from '#kernel/builds/platform';
import { type WebhookFormat } from './webhook-event';

/** The maximum number of webhooks of an organization, those of its projects included. */
export const MAX_WEBHOOKS = 20;
/** The maximum number of deliveries of a webhook that are kept. */
export const KEPT_DELIVERIES = 1_000;

export const WEBHOOK_STATES = ['on', 'off'] as const;
export type WebhookState = (typeof WEBHOOK_STATES)[number];

/**
 * Why a webhook is off: a person paused it, its endpoint failed for five days, or said that it is gone, or its creator lost the role that
 * it needs.
 */
export const OFF_REASONS = ['paused', 'failing', 'gone', 'creator_lost_access'] as const;
export type OffReason = (typeof OFF_REASONS)[number];

/**
 * Why a message was not accepted. `not_public` is also the reason for a name that does not exist, so that it reveals no internal names.
 * `busy`: a test or redelivery waited too long for other webhooks, and was not attempted.
 */
export const DELIVERY_ERRORS = ['status', 'timeout', 'not_public', 'tls', 'connection', 'internal', 'busy'] as const;
export type DeliveryError = (typeof DELIVERY_ERRORS)[number];

/** The types of events about accounts, credentials of persons and the installation itself, which do not concern an organization. */
const OF_SERVICE =
  /^(developer|login|device_login|session|account|personal_access_token|keys|clock|jobs|blobs|backup)\./;

/** The types of events of the audit feed of an organization. A test can send the newest event of one. */
export const AUDITED_TYPES: readonly AuditEventType[] = AUDIT_EVENT_TYPE_NAMES.filter((type) => !OF_SERVICE.test(type));

/** The type of the messages that count downloads, which are no audit events. */
export const DOWNLOADS_COUNTED = 'downloads.counted';

export type WebhookType = AuditEventType | typeof DOWNLOADS_COUNTED;

/** The types of events that a webhook can send. */
export const WEBHOOK_TYPES: readonly WebhookType[] = [...AUDITED_TYPES, DOWNLOADS_COUNTED];

/** An event as webhooks send it: one of the audit feed, or a count of downloads. */
export type SentChange = Omit<RecordedChange, 'type'> & { readonly type: WebhookType };

/** The type of the message with which the test button greets a receiver. */
export const PING = 'webhook.ping';

/** Restricts the events that have a channel, a platform or a branch. An empty list restricts nothing. */
export interface WebhookFilter {
  readonly channelIds: readonly string[];
  readonly platforms: readonly Platform[];
  /** Patterns of branches, such as `release/*`. */
  readonly branches: readonly string[];
}

/** What a person chooses about a webhook. */
export interface WebhookSettings {
  readonly name: string;
  readonly url: string;
  readonly format: WebhookFormat;
  readonly types: readonly string[];
  readonly filter: WebhookFilter;
  /** Whether messages contain install links, which are credentials. */
  readonly includeLinks: boolean;
}

/** The rows of an organization that a webhook concerns: those of a project, or all. */
export interface WebhookScope {
  readonly organizationId: string;
  readonly projectId: string | null;
}

export const urlContext = (id: string): string => `webhook_url|${id}`;
/** The present and the previous secret have the same context, so that a rotation can move the sealed value. */
export const secretContext = (id: string): string => `webhook_secret|${id}`;
export const bodyContext = (id: string): string => `webhook_delivery|${id}`;
