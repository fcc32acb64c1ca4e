import { type ControllerDocs } from '#infra/http/describe';

export const WEBHOOKS_DOCS = {
  list: 'Use it to see the webhooks of an organization or project, whether they work, and how far they are behind. The URL and the secret are not shown.',
  create:
    'Use it to inform your own program, or a chat, of what happens. It sends the events after this request, in their order, each at least once, signed as the [Standard Webhooks](https://www.standardwebhooks.com) say. A webhook may read what you may read, and stops when you lose the role. An organization has at most 20.',
  get: 'Use it to read the state of a webhook.',
  update:
    'Use it to change the name, address, format, events or filter. A message that is already written stays as it is. A new `url`, and `include_links: true`, require a login. If you change the `url`, it may send what you may read from then on.',
  remove: 'Use it to stop a webhook for good. Its deliveries are deleted, too.',
  rotateSecret:
    'Use it when the secret may be known to others, or regularly. For 24 hours each message has two signatures, of the new and of the previous secret, so that the receiver can change without a gap.',
  resume:
    'Use it after the receiver is repaired: it turns the webhook on, or ends the wait after failures. If the creator may no longer have the webhook, you take it over, which requires a login.',
} satisfies ControllerDocs;

export const WEBHOOK_DELIVERIES_DOCS = {
  get: 'Use it to see the body of a message, and the last response. A personal access token also needs the scope that reads the objects of the event, such as `builds:read`, or `audit:read`.',
  redeliver:
    'Use it to send a message again, with the same id and body. The response is the delivery before the new attempt.',
} satisfies ControllerDocs;

export const DELIVERIES_OF_WEBHOOK_DOCS = {
  test: 'Use it to try the receiver: it sends a greeting or, with `type`, the newest event of that type, with `"test": true` and an id of its own. The response is the delivery before its attempt; read it again with `GET /webhook-deliveries/{webhook_delivery_id}`. It also works while the webhook is off.',
  listDeliveries: 'Use it to see what a webhook sent, newest first. Events that its filter excludes have no delivery.',
} satisfies ControllerDocs;
