/** The screens whose main part is one table: their skeleton has rows. */
const TABLE_SCREENS: ReadonlySet<string> = new Set([
  '/account/tokens',
  '/o/$org',
  '/o/$org/audit',
  '/o/$org/members',
  '/o/$org/p/$project/access',
  '/o/$org/p/$project/builds',
  '/o/$org/p/$project/builds/$build/downloads',
  '/o/$org/p/$project/builds/$build/links',
  '/o/$org/p/$project/channels/$channel/links',
  '/o/$org/p/$project/devices',
  '/o/$org/p/$project/settings/webhooks',
  '/o/$org/p/$project/testers',
  '/o/$org/p/$project/tokens',
  '/o/$org/settings/webhooks',
  '/o/$org/tokens',
]);

/** @param path the pattern of the router. */
export const isTableScreen = (path: string): boolean => TABLE_SCREENS.has(path.replace(/\/$/, ''));
