import { AUDIT_EVENT_TYPES, type AuditEventType } from '#kernel/audit/audit-event';
import { cleanText } from '#kernel/text/text';
import { type WebhookEvent } from '../webhook-event';
import { type EventFacts, type Fact, factsOf } from './event-facts';
import { type MessageContext } from './message-context';

export interface MessageButton {
  readonly label: string;
  readonly url: string;
}

/** An event as all chats show it: clean text, which each format escapes by its own rules. */
export interface ChatMessage {
  /** One line. */
  readonly title: string;
  readonly facts: readonly Fact[];
  /** Lines of text, cut at `NOTES_SHOWN`. Null when the event has no notes. */
  readonly notes: string | null;
  readonly buttons: readonly MessageButton[];
  /** The organization and the project. */
  readonly origin: string;
  readonly isWarning: boolean;
  readonly timestamp: string;
}

/** The number of characters of notes that a message shows. */
export const NOTES_SHOWN = 800;
/** Keeps the longest message of each chat below its limit: the embeds of Discord have at most 6,000 characters. */
const LINE_LENGTH = 160;

/** The titles of the events that chats mostly show. All others have the sentence of the list of audit events. */
const TITLES: Readonly<Record<string, (facts: EventFacts) => string | null>> = {
  'build.uploaded': ({ build }) => build && `${build} was uploaded`,
  'build.updated': ({ build }) => build && `The notes of ${build} were changed`,
  'build.signing_expires': ({ build, signingPart, expires }) =>
    build && `The ${signingPart} of ${build} expires${expires}`,
  'build.signing_expired': ({ build, signingPart }) => build && `The ${signingPart} of ${build} has expired`,
  'release.promoted': ({ build, channel }) => build && `${build} was released${channel ? ` to ${channel}` : ''}`,
  'release.withdrawn': ({ build, channel }) => build && `${build} was withdrawn${channel ? ` from ${channel}` : ''}`,
  'release.undone': ({ build, channel }) =>
    build && `The release of ${build}${channel ? ` to ${channel}` : ''} was undone`,
  'channel.created': ({ channel }) => channel && `The channel ${channel} was created`,
  'tester.created': ({ tester }) => tester && `${tester} was added as a tester`,
  'tester.subscribed': ({ tester, channel }) => tester && channel && `${tester} was subscribed to ${channel}`,
  'tester.unsubscribed': ({ tester, channel }) => tester && channel && `${tester} was unsubscribed from ${channel}`,
  'tester.bounced': ({ tester }) => tester && `The address of ${tester} is invalid`,
  'downloads.counted': ({ build, downloads }) =>
    downloads && `${downloads === '1' ? '1 download' : `${downloads} downloads`} of ${build ?? 'a build'}`,
  'webhook.ping': () => 'Agate can reach this place',
};

const WARNINGS = /^(build\.signing_expire[sd]|tester\.bounced)$/;
/** The events whose notes are news. */
const WITH_NOTES = /^(build\.(uploaded|updated)|release\.promoted)$/;

/** Reads an event into the parts that every chat shows. */
export function chatMessageOf(event: WebhookEvent, context: MessageContext): ChatMessage {
  const facts = factsOf(event, context);
  const title = TITLES[event.type]?.(facts) ?? meaningOf(event.type);
  return {
    title: line(event.test ? `Test: ${title}` : title),
    facts: facts.rows.map(({ label, value }) => ({ label, value: line(value) })).filter(({ value }) => value !== ''),
    notes: WITH_NOTES.test(event.type) ? notesOf(facts.notes) : null,
    buttons: [
      ...(context.buildUrl === null ? [] : [{ label: 'Open build', url: context.buildUrl }]),
      ...(context.installUrl === null ? [] : [{ label: 'Install', url: context.installUrl }]),
    ],
    origin: [context.organizationName, context.projectName]
      .map((name) => line(name ?? ''))
      .filter(Boolean)
      .join(' › '),
    isWarning: WARNINGS.test(event.type),
    timestamp: event.timestamp,
  };
}

/** The sentence of an event's type without its full stop. A type without one is shown itself. */
function meaningOf(type: string): string {
  return (AUDIT_EVENT_TYPES[type as AuditEventType] as string | undefined)?.replace(/\.( .*)?$/, '') ?? type;
}

const line = (text: string): string => cut(cleanText(text, LINE_LENGTH + 1), LINE_LENGTH);

/** Clean lines with at most one empty line between them. */
function notesOf(notes: string | null): string | null {
  const lines = (notes ?? '').split(/\r\n|[\n\r\u2028\u2029]/).map((text) => cleanText(text, NOTES_SHOWN + 1));
  const text = lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  return text === '' ? null : cut(text, NOTES_SHOWN);
}

function cut(text: string, length: number): string {
  const characters = [...text];
  return characters.length > length
    ? `${characters
        .slice(0, length - 1)
        .join('')
        .trimEnd()}…`
    : text;
}
