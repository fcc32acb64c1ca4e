import { type AuditEventResponse } from '@agate/client';
import { type EventFacts, type EventWords } from '../../words/event-words';
import {
  formatBytes,
  formatDate,
  formatList,
  formatMoney,
  formatNumber,
  formatPlural,
  formatQuoted,
} from '../../words/format';
import { type LanguageCode } from '../../words/language';
import { type Words } from '../../words/words';

export type AuditEvent = Pick<AuditEventResponse, 'type' | 'actor' | 'payload' | 'subject_label'>;

/** The fields of payloads that are names. */
const NAME_FIELDS = ['name', 'file_name'];
/** The fields of payloads that name an object. Without them, the subject of the event is a developer. */
const OBJECTS = ['tester_id', 'token_id', 'invitation_id'];

/** Names for the ids in payloads. */
export interface KnownNames {
  readonly people: ReadonlyMap<string, string>;
  readonly builds: ReadonlyMap<string, string>;
  readonly channels: ReadonlyMap<string, string>;
}

export interface EventTexts {
  readonly language: LanguageCode;
  readonly events: Readonly<Record<string, EventWords>>;
  readonly roles: Words['roles'];
  readonly platforms: Readonly<Record<string, string>>;
}

const isTextOrNumber = (value: unknown): value is string | number =>
  typeof value === 'string' || typeof value === 'number';

/** The version in the payload of an event about a build: 2.1.0 (210). */
export function versionIn(payload: AuditEvent['payload']): string {
  const { version, build_number: buildNumber } = payload;
  if (typeof version !== 'string') return '';
  return typeof buildNumber === 'string' ? `${version} (${buildNumber})` : version;
}

/** Reads the payload of an event. Payloads of older versions of the service may lack fields. */
function factsOf(
  { actor, payload, subject_label }: AuditEvent,
  { language, roles, platforms }: EventTexts,
  names: KnownNames,
  mark: (name: string) => string,
): EventFacts {
  const text = (field: string): string => {
    const value = payload[field];
    return isTextOrNumber(value) ? String(value) : '';
  };
  const numeric = (field: string, format: (value: number) => string): string => {
    const value = payload[field];
    return typeof value === 'number' ? format(value) : '';
  };
  const texts = (field: string): readonly string[] => {
    const value = payload[field];
    return (Array.isArray(value) ? value : [value]).filter(isTextOrNumber).map(String);
  };
  const named = (field: string, known: Readonly<Record<string, string>>, format = formatList): string =>
    format(
      language,
      texts(field).map((one) => known[one] ?? one),
    );
  const number = (field: string): string => numeric(field, (value) => formatNumber(language, value));
  const date = (field: string, shape: 'long' | 'month'): string =>
    /^\d{4}-\d\d/.test(text(field)) ? formatDate(language, text(field), shape) : text(field);
  const isOfPerson = !OBJECTS.some((field) => field in payload);
  const name = (known: string | null | undefined): string => (known ? mark(known) : '');
  return {
    text: (field) => (NAME_FIELDS.includes(field) ? name(text(field)) : text(field)),
    number,
    count: (field, forms) => numeric(field, (value) => formatPlural(language, value, forms)),
    money: (field) => numeric(field, (value) => formatMoney(language, value)),
    bytes: (field) => numeric(field, (value) => formatBytes(language, value)),
    date: (field) => date(field, 'long'),
    month: (field) => date(field, 'month'),
    list: (field) => named(field, {}),
    plan: (field) => text(field).replace(/^./, (first) => first.toUpperCase()),
    isTrue: (field) => Boolean(payload[field]),
    roles: (field) => named(field, roles, formatQuoted),
    platforms: (field) => named(field, platforms),
    person: name(names.people.get(text('developer_id')) ?? (isOfPerson ? subject_label : null)),
    build: name(versionIn(payload) || names.builds.get(text('build_id'))),
    channel: name(names.channels.get(text('channel_id'))),
    subject: name(isOfPerson ? null : subject_label),
    actorId: actor.id,
  };
}

/** The name of an event type. For an unknown type, the type itself. */
export function labelOf(type: string, { events }: Pick<EventTexts, 'events'>): string {
  const words = events[type];
  if (words === undefined) return type;
  return typeof words === 'string' ? words : words[0];
}

/** The event as a sentence whose subject is the actor. @param mark is applied to each name in it. */
export function sentenceOf(
  event: AuditEvent,
  texts: EventTexts,
  names: KnownNames,
  mark = (name: string): string => name,
): string {
  const words = texts.events[event.type];
  return words === undefined || typeof words === 'string'
    ? labelOf(event.type, texts)
    : words[1](factsOf(event, texts, names, mark));
}

/** Unicode's isolates: they enclose a name in a text, and no name contains them. */
const [START, END] = ['\u2068', '\u2069'];

/** The sentence in parts, each second of which is a name. */
export const partsOf = (event: AuditEvent, texts: EventTexts, names: KnownNames): readonly string[] =>
  sentenceOf(event, texts, names, (name) => START + name + END).split(new RegExp(`[${START}${END}]`));
