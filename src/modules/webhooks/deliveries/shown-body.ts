/**
 * The paths of install links and their files, also as JSON and URLs escape the slash: endpoints repeat messages in their responses. The token
 * is a credential.
 */
const LINK = /(install(?:\\?\/|%2f))[A-Za-z0-9_-]{16,}/gi;

/** A body or a response as the log shows it: the tokens of install links are masked. */
export const withoutLinks = (text: string): string => text.replaceAll(LINK, '$1…');

/** A whole install link. */
const WHOLE_LINK = /\/install\/[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])/;

/** Whether a body contains an install link. */
export const hasLinks = (text: string): boolean => WHOLE_LINK.test(text);
