export { type EventSubjects, type EventTraits, type LinkChoice, WebhookSubjects } from './sending/webhook-subjects';
export { type BuildDownloads, type UncountedTime } from './downloads/download-counts.repository';
export { DOWNLOADS_COUNTED, PING, type SentChange, WEBHOOK_TYPES, type WebhookScope } from './webhook';
export { type WebhookActor, type WebhookData, type WebhookEvent } from './webhook-event';
export { WEBHOOKS_FILES, WebhooksErasure } from './webhooks.account-data';
export { WebhooksModule } from './webhooks.module';
