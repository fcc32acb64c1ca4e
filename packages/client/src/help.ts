/** The path below which a service serves its documents, in its own version. */
export const HELP = '/help';

/** The explanation of a warning of a build: its row in the page about installing. */
export const helpOfWarning = (code: string, platform: string): string =>
  // Both platforms have this warning, and the first table with the word has its anchor.
  `${HELP}/installing#${code === 'unsigned' && platform === 'android' ? 'android' : code}`;

/** The page of an error code, at the row of its reason. */
export const helpOfError = (code: string, reason: string | null): string =>
  `${HELP}/errors/${code}${reason === null ? '' : `#${reason}`}`;
