import { TOKEN_PATTERN } from '#kernel/access/token-format';

const EVERY_TOKEN = new RegExp(TOKEN_PATTERN.source, 'gi');
const EVERY_JWT = /\beyJ[\w-]+\.[\w-]+\.[\w-]+/gi;
/** The tokens of links, which have no prefix. Other words of this length are masked, too. */
const EVERY_LINK_TOKEN = /(?<![\w-])[\w-]{43}(?![\w-])/g;
const EVERY_EMAIL = /[^\s"'<>()[\],;:@]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu;
/** Paths with a token: install links, download tickets, update keys, URLs of parts, icons, exports. The router ignores the case. */
const PATH_TOKEN = /\/(install|download|updates|parts|icons|exports)\/[^/]+/gi;
/** A segment that is long enough to contain a token, also one with percent-encoded or additional characters. */
const LONG_SEGMENT = /(?<=\/)[^/]{43,}/g;

/** Replaces tokens in a text, because credentials are never logged. */
export const redactTokens = (text: string): string =>
  text.replace(EVERY_TOKEN, 'ag_[redacted]').replace(EVERY_JWT, '[jwt]').replace(EVERY_LINK_TOKEN, '[token]');

/** Replaces e-mail addresses in a text that the service did not write itself. */
export const redactEmails = (text: string): string => text.replace(EVERY_EMAIL, '[email]');

/** The path of a request for logs and traces: without query and without the token of a link. */
export const loggablePath = (url: string): string =>
  redactTokens((url.split('?')[0] ?? '').replace(PATH_TOKEN, '/$1/[token]').replace(LONG_SEGMENT, '[token]'));
