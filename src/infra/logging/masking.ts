import { TOKEN_PATTERN } from '#kernel/access/token-format';

const EVERY_TOKEN = new RegExp(TOKEN_PATTERN.source, 'g');
const EVERY_JWT = /\beyJ[\w-]+\.[\w-]+\.[\w-]+/g;
const EVERY_EMAIL = /[^\s"'<>()[\],;:@]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu;
/** Tokens in paths: install links, and tickets of downloads and parts. */
const PATH_TOKEN = /\/(install|download|parts)\/[^/?]+/;

/** Takes the tokens out of a text: nothing that opens a door is ever written down. */
export const redactTokens = (text: string): string =>
  text.replace(EVERY_TOKEN, 'ag_[redacted]').replace(EVERY_JWT, '[jwt]');

/** Takes the e-mail addresses out of a text of somebody else's making. */
export const redactEmails = (text: string): string => text.replace(EVERY_EMAIL, '[email]');

/** The path of a request as logs and traces may show it: without its query and without the token that an install link is. */
export const loggablePath = (url: string): string =>
  redactTokens((url.split('?')[0] ?? '').replace(PATH_TOKEN, '/$1/[token]'));
