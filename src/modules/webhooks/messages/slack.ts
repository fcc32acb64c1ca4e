import { type ChatMessage } from './chat-message';
import { escapeEntities, escapeWithin } from './escaping';

/** Limits of Block Kit, in characters. */
const HEADER_LENGTH = 150;
const SECTION_LENGTH = 3000;
const FIELDS = 10;

/**
 * Mattermost ignores blocks, shows `text` as Markdown and notifies for each `@name`. An invisible space after `@` and `]` ends the mention
 * or link, also for Slack.
 */
const escapeMarkdown = (text: string): string => escapeEntities(text).replace(/[@\]]/g, '$&\u200b');

/**
 * The message of an incoming webhook of Slack: blocks, and `text` for notifications and for Mattermost. `verbatim` keeps Slack from
 * looking for names and addresses in the text.
 */
export function slackMessage({ title, facts, notes, buttons, origin }: ChatMessage): object {
  const words = (text: string): object => ({ type: 'plain_text', text, emoji: false });
  const marked = (text: string): object => ({ type: 'mrkdwn', text, verbatim: true });
  const blocks = [
    { type: 'header', text: words(escapeWithin(title, HEADER_LENGTH, escapeEntities)) },
    ...(facts.length === 0
      ? []
      : [
          {
            type: 'section',
            fields: facts.slice(0, FIELDS).map(({ label, value }) => marked(`*${label}*\n${escapeEntities(value)}`)),
          },
        ]),
    ...(notes === null ? [] : [{ type: 'section', text: marked(escapeWithin(notes, SECTION_LENGTH, escapeEntities)) }]),
    ...(buttons.length === 0
      ? []
      : [
          { type: 'actions', elements: buttons.map(({ label, url }) => ({ type: 'button', text: words(label), url })) },
        ]),
    ...(origin === '' ? [] : [{ type: 'context', elements: [words(escapeEntities(origin))] }]),
  ];
  return { text: textOf({ title, facts, notes, buttons }), unfurl_links: false, unfurl_media: false, blocks };
}

const textOf = ({ title, facts, notes, buttons }: Pick<ChatMessage, 'title' | 'facts' | 'notes' | 'buttons'>): string =>
  [
    escapeMarkdown(title),
    facts.map(({ label, value }) => `${label}: ${escapeMarkdown(value)}`).join(' · '),
    notes === null ? '' : escapeMarkdown(notes),
    buttons.map(({ label, url }) => `<${url}|${label}>`).join(' · '),
  ]
    .filter(Boolean)
    .join('\n');
