/** The paths of install links and their files. The token is a credential. */
const LINK = /(\/install\/)[A-Za-z0-9_-]{16,}/g;

/** A body as the log shows it: the tokens of install links are masked. */
export const withoutLinks = (body: string): string => body.replaceAll(LINK, '$1…');
