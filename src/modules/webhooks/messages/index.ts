import { type WebhookEvent, type WebhookFormat } from '../webhook-event';
import { chatMessageOf } from './chat-message';
import { discordMessage } from './discord';
import { googleChatMessage } from './google-chat';
import { type MessageContext } from './message-context';
import { slackMessage } from './slack';
import { teamsMessage } from './teams';

export { type MessageContext } from './message-context';

/** Renders an event as the JSON body of a request, at most 20 kB. */
type MessageRenderer = (event: WebhookEvent, context: MessageContext) => string;

/** The event itself. The link is the only part of the context that the event does not have. */
const standard: MessageRenderer = (event, { installUrl }) =>
  JSON.stringify(installUrl === null ? event : { ...event, data: { ...event.data, install_url: installUrl } });

const chat =
  (format: (message: ReturnType<typeof chatMessageOf>) => object): MessageRenderer =>
  (event, context) =>
    JSON.stringify(format(chatMessageOf(event, context)));

const RENDERERS: Readonly<Record<WebhookFormat, MessageRenderer>> = {
  standard,
  slack: chat(slackMessage),
  teams: chat(teamsMessage),
  discord: chat(discordMessage),
  google_chat: chat(googleChatMessage),
};

/** The body of the request that sends an event in a format. */
export const renderMessage = (format: WebhookFormat, event: WebhookEvent, context: MessageContext): string =>
  RENDERERS[format](event, context);
