import { type WebhookEvent, type WebhookFormat } from '../webhook-event';

/** What a message shows beside the event. */
export interface MessageContext {
  /** Null for an event of the organization. */
  readonly projectName: string | null;
  readonly organizationName: string;
  /** The build in the dashboard. */
  readonly buildUrl: string | null;
  /** The install link: a credential. Only with `include_links`. */
  readonly installUrl: string | null;
}

/** Renders an event as the JSON body of a request, at most 20 kB. */
type MessageRenderer = (event: WebhookEvent, context: MessageContext) => string;

/** The event itself. The link is the only part of the context that the event does not have. */
const standard: MessageRenderer = (event, { installUrl }) =>
  JSON.stringify(installUrl === null ? event : { ...event, data: { ...event.data, install_url: installUrl } });

/** A format without an entry has the message of `standard`. */
const RENDERERS: Partial<Record<WebhookFormat, MessageRenderer>> = { standard };

/** The body of the request that tells a receiver of the format about the event. */
export function renderMessage(format: WebhookFormat, event: WebhookEvent, context: MessageContext): string {
  return (RENDERERS[format] ?? standard)(event, context);
}
