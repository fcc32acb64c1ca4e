import { type ApiErrorBody } from '../agent-api';

/** The longest text of other people in an answer, in bytes of UTF-8. */
export const MAX_TEXT_BYTES = 2048;

/**
 * Fields whose texts the service itself creates: ids, times, words of closed sets and digests. The ids of an app and of a team are texts of the
 * artifact, which its author chooses.
 */
const OWN_TEXTS =
  /^(?!([a-z]+_)?(bundle|team)_id$)(id|ids|[a-z_]+_(id|ids|at)|next_cursor|platform|kind|state|role|code|outcome|action|plan|quota|period|day|scopes|sha256|certificate_sha256|language|scheme|missing_scopes|reason|field|messages)$/;

/** Fields that are credentials, or data of persons and machines that no agent needs. */
const WITHHELD = /^(install_url|qr_url|icon_url|devices|token|actor_label)$/;

/** Control characters except tab and line feed, and characters that reorder or hide text. */
const INVISIBLE = /(?![\t\n])[\p{Cc}\p{Bidi_Control}\p{Cf}\p{Zl}\p{Zp}\ufffd]|[\u{e0000}-\u{e007f}]/gu;

/** A word that may be an e-mail address. An expression with the `@` in it would take time that is quadratic in the length of a word. */
const WORD = /[^\s<>"',;]+/g;

/** A text of the service itself, or one that the agent has sent in the same call. */
export class OwnText {
  constructor(readonly text: string) {}
}

export interface UntrustedOptions {
  /** Whether e-mail addresses are shown whole. */
  readonly showAddresses?: boolean;
  readonly maxBytes?: number;
}

/** The text without characters that a reader does not see, cut at a number of bytes. */
export function cleaned(text: string, maxBytes = MAX_TEXT_BYTES): string {
  const visible = text.toWellFormed().replace(INVISIBLE, '');
  const bytes = Buffer.from(visible);
  if (bytes.length <= maxBytes) return visible;
  // A cut within a character leaves U+FFFD, which is removed.
  return `${bytes
    .subarray(0, maxBytes - 3)
    .toString()
    .replace(/\ufffd+$/, '')}…`;
}

const masked = (text: string): string =>
  text.replace(WORD, (word) => {
    const at = word.indexOf('@');
    return at > 0 && at < word.length - 1 ? `${word[0]}***${word.slice(at)}` : word;
  });

/**
 * Separates in each object the texts that other people wrote from what the service says: they move to the object's field `untrusted`. A
 * field that is not known to hold the service's own text is untrusted, so a new one is, too.
 */
export function separated(value: unknown, options: UntrustedOptions = {}): unknown {
  if (Array.isArray(value)) return value.map((each) => separated(each, options));
  if (typeof value === 'string') return cleanedFor(value, options);
  if (value instanceof OwnText) return value.text;
  if (typeof value !== 'object' || value === null) return value;
  return separatedFields(value, options);
}

function separatedFields(value: object, options: UntrustedOptions): object {
  const trusted: Record<string, unknown> = {};
  const untrusted: Record<string, unknown> = {};
  for (const [name, inner] of Object.entries(value)) {
    if (WITHHELD.test(name)) continue;
    const place = isText(inner) && !isOwn(name) ? untrusted : trusted;
    place[name] = separated(inner, options);
  }
  return Object.keys(untrusted).length > 0 ? { ...trusted, untrusted } : trusted;
}

const isOwn = (name: string): boolean => OWN_TEXTS.test(name);

/** The message of an error: a text of the service, unless it repeats one of the details that other people wrote. */
export function messageOf({ message, details }: Pick<ApiErrorBody, 'message' | 'details'>): OwnText | string {
  const isRepeated = ([name, text]: [string, unknown]): boolean =>
    typeof text === 'string' && text !== '' && !isOwn(name) && message.includes(text);
  return Object.entries(details).some(isRepeated) ? message : new OwnText(cleaned(message));
}

const isText = (value: unknown): boolean =>
  typeof value === 'string' || (Array.isArray(value) && value.some((each) => typeof each === 'string'));

function cleanedFor(text: string, { showAddresses = false, maxBytes }: UntrustedOptions): string {
  return cleaned(showAddresses ? text : masked(text), maxBytes);
}
