export { type EventSubjects, type EventTraits, type LinkChoice, WebhookSubjects } from './sending/webhook-subjects';
export { PING, WEBHOOK_TYPES } from './webhook';
export { type WebhookActor, type WebhookData, type WebhookEvent } from './webhook-event';
export { WEBHOOKS_FILES, WebhooksErasure } from './webhooks.account-data';
export { WebhooksModule } from './webhooks.module';
