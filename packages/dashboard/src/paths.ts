/** The file of a screen below `src/screens`, and the areas of the texts that it shows at once. */
type Screen = readonly [file: string, ...words: string[]];

const PROJECTS = ['projects/projects', 'projects', 'builds', 'billing'] as const;

/**
 * The paths of the dashboard, as patterns of the router. The service responds to them with the dashboard's page, which names the files of
 * the screen, so that the browser loads them together with the first file.
 */
export const SCREENS = {
  // Redirects to the projects of the last organization.
  '/': PROJECTS,
  '/login': ['session/log-in'],
  '/signup': ['session/sign-up'],
  '/forgot-password': ['session/forgot-password'],
  '/welcome': ['welcome/welcome', 'welcome', 'project', 'builds'],
  '/account': ['account/account', 'account'],
  '/account/security': ['account/security', 'account'],
  '/account/tokens': ['account/tokens/personal-tokens', 'account', 'tokens'],
  '/account/data': ['account/profile/own-data', 'account'],
  '/device': ['device/device', 'device', 'tokens'],
  '/o/$org': PROJECTS,
  '/o/$org/members': ['members/members', 'members'],
  '/o/$org/audit': ['audit/audit', 'audit', 'builds'],
  '/o/$org/billing': ['billing/billing', 'billing'],
  '/o/$org/storage': ['storage/storage', 'storage', 'billing'],
  '/o/$org/settings': ['organization-settings/organization-settings', 'settings', 'tokens'],
  '/o/$org/p/$project': [
    'project/overview',
    'project',
    'builds',
    'build',
    'channels',
    'testers',
    'promotion',
    'uploads',
  ],
  '/o/$org/p/$project/builds': ['builds/builds', 'builds', 'build', 'uploads'],
  '/o/$org/p/$project/builds/$build': ['builds/build', 'build', 'builds', 'differences', 'promotion', 'updates'],
  '/o/$org/p/$project/builds/$build/downloads': ['builds/build-downloads', 'build', 'builds'],
  '/o/$org/p/$project/compare': ['builds/compare', 'differences', 'builds', 'build'],
  '/o/$org/p/$project/channels': ['channels/channels', 'channels', 'builds'],
  '/o/$org/p/$project/channels/$channel': ['channels/channel', 'channels', 'builds', 'updates', 'differences'],
  '/o/$org/p/$project/testers': ['testers/testers', 'testers', 'channels', 'builds'],
  '/o/$org/p/$project/testers/import': ['testers/import/import-testers', 'testers', 'channels', 'builds'],
  '/o/$org/p/$project/testers/$tester': ['testers/tester', 'tester', 'testers', 'builds', 'build'],
  '/o/$org/p/$project/tokens': ['tokens/project-tokens', 'tokens', 'access'],
  '/o/$org/p/$project/access': ['access/access', 'access'],
  '/o/$org/p/$project/settings': ['project/project-settings', 'project', 'settings', 'updates', 'builds'],
} as const satisfies Record<string, Screen>;

export type Path = keyof typeof SCREENS;
export const PATHS = Object.keys(SCREENS) as readonly Path[];

const SESSION = '/api/v1/login/session';
/** The navigation of every screen of an organization needs this request. */
const NAVIGATION = '/api/v1/projects?organization_id=$org&include=summary&limit=50';
/** The largest text on the overview. */
const DOWNLOADS = '/api/v1/projects/$project/downloads/daily?organization_id=$org';

/**
 * The requests to the API that a screen always sends first, which the page preloads. Browsers use a preload only for exactly this address.
 * A test compares the requests of each screen.
 */
export function firstRequestsOf(path: Path): readonly string[] {
  if (!path.startsWith('/o/')) return [SESSION];
  return path === '/o/$org/p/$project' ? [SESSION, NAVIGATION, DOWNLOADS] : [SESSION, NAVIGATION];
}
