import { type QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  parseSearchWith,
  redirect,
  stringifySearchWith,
} from '@tanstack/react-router';
import { Failed } from './frame/failed';
import { Pending } from './frame/pending';
import { lastOrganization } from './session/choices/last-organization';
import { afterLogin } from './session/next';
import { sessionQuery } from './queries/account/session';
import { type Path, SCREENS } from './paths';
import { texts } from './search';
import { loadAreas } from './words/load-words';
import { type Area } from './words/words';

interface Context {
  readonly queryClient: QueryClient;
}

const next = texts('next');

/** The component of a path. Its texts are loaded together with its file: a component that suspends for texts would be shown later. */
function screen<File extends Record<string, unknown>, Name extends keyof File & string>(
  path: Path,
  load: () => Promise<File>,
  name: Name,
) {
  const [, ...areas]: readonly [string, ...Area[]] = SCREENS[path];
  return lazyRouteComponent(async () => (await Promise.all([load(), loadAreas(areas)]))[0], name);
}

const root = createRootRouteWithContext<Context>()({
  component: Outlet,
  notFoundComponent: lazyRouteComponent(() => import('./frame/not-found'), 'NotFound'),
});

/** Screens for visitors without a session. A visitor with a session is redirected to the requested screen. */
const visitor = createRoute({
  getParentRoute: () => root,
  id: 'visitor',
  beforeLoad: async ({ context, location }) => {
    const session = await context.queryClient.ensureQueryData(sessionQuery);
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- how this router redirects
    if (session.state === 'active') throw redirect(afterLogin(next(location.search).next));
  },
  component: lazyRouteComponent(() => import('./screens/session/entrance'), 'Entrance'),
});
const logIn = createRoute({
  getParentRoute: () => visitor,
  path: '/login',
  validateSearch: next,
  component: screen('/login', () => import('./screens/session/log-in'), 'LogIn'),
});
const signUp = createRoute({
  getParentRoute: () => visitor,
  path: '/signup',
  validateSearch: next,
  component: screen('/signup', () => import('./screens/session/sign-up'), 'SignUp'),
});
const forgotPassword = createRoute({
  getParentRoute: () => visitor,
  path: '/forgot-password',
  component: screen('/forgot-password', () => import('./screens/session/forgot-password'), 'ForgotPassword'),
});

/** Screens behind the login. */
const member = createRoute({
  getParentRoute: () => root,
  id: 'member',
  beforeLoad: async ({ context, location }) => {
    const session = await context.queryClient.ensureQueryData(sessionQuery);
    if (session.state !== 'active') {
      // eslint-disable-next-line @typescript-eslint/only-throw-error -- how this router redirects
      throw redirect({ to: '/login', search: location.href === '/' ? {} : { next: location.href } });
    }
    return { session };
  },
  component: lazyRouteComponent(() => import('./frame/frame'), 'Frame'),
});
const start = createRoute({
  getParentRoute: () => member,
  path: '/',
  beforeLoad: ({ context }) => {
    const { organizations } = context.session;
    const last = lastOrganization();
    const organization = organizations.find(({ id }) => id === last) ?? organizations[0];
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- how this router redirects
    throw organization ? redirect({ to: '/o/$org', params: { org: organization.id } }) : redirect({ to: '/welcome' });
  },
});
const welcome = createRoute({
  getParentRoute: () => member,
  path: '/welcome',
  validateSearch: texts('org', 'project', 'build'),
  component: screen('/welcome', () => import('./screens/welcome/welcome'), 'Welcome'),
});

const account = createRoute({
  getParentRoute: () => member,
  path: '/account',
  component: screen('/account', () => import('./screens/account/account'), 'Account'),
});
const security = createRoute({
  getParentRoute: () => member,
  path: '/account/security',
  component: screen('/account/security', () => import('./screens/account/security'), 'Security'),
});
const personalTokens = createRoute({
  getParentRoute: () => member,
  path: '/account/tokens',
  validateSearch: texts('org', 'new'),
  component: screen('/account/tokens', () => import('./screens/account/tokens/personal-tokens'), 'PersonalTokens'),
});
const ownData = createRoute({
  getParentRoute: () => member,
  path: '/account/data',
  component: screen('/account/data', () => import('./screens/account/profile/own-data'), 'OwnData'),
});

const device = createRoute({
  getParentRoute: () => member,
  path: '/device',
  validateSearch: texts('code'),
  component: screen('/device', () => import('./screens/device/device'), 'Device'),
});

const organization = createRoute({
  getParentRoute: () => member,
  path: '/o/$org',
  component: lazyRouteComponent(() => import('./frame/frame'), 'Organization'),
});
const projects = createRoute({
  getParentRoute: () => organization,
  path: '/',
  validateSearch: texts('q', 'create'),
  component: screen('/o/$org', () => import('./screens/projects/projects'), 'Projects'),
});
const members = createRoute({
  getParentRoute: () => organization,
  path: '/members',
  validateSearch: texts('invite'),
  component: screen('/o/$org/members', () => import('./screens/members/members'), 'Members'),
});
const audit = createRoute({
  getParentRoute: () => organization,
  path: '/audit',
  validateSearch: texts('day', 'type', 'person', 'address', 'project', 'event'),
  component: screen('/o/$org/audit', () => import('./screens/audit/audit'), 'Audit'),
});
const billing = createRoute({
  getParentRoute: () => organization,
  path: '/billing',
  validateSearch: texts('month', 'top_up', 'act'),
  component: screen('/o/$org/billing', () => import('./screens/billing/billing'), 'Billing'),
});
const storage = createRoute({
  getParentRoute: () => organization,
  path: '/storage',
  validateSearch: texts('kind', 'change'),
  component: screen('/o/$org/storage', () => import('./screens/storage/storage'), 'Storage'),
});
const organizationSettings = createRoute({
  getParentRoute: () => organization,
  path: '/settings',
  component: screen(
    '/o/$org/settings',
    () => import('./screens/organization-settings/organization-settings'),
    'OrganizationSettings',
  ),
});

const project = createRoute({
  getParentRoute: () => organization,
  path: '/p/$project',
  component: lazyRouteComponent(() => import('./frame/frame'), 'Project'),
});
const overview = createRoute({
  getParentRoute: () => project,
  path: '/',
  validateSearch: texts('promote'),
  component: screen('/o/$org/p/$project', () => import('./screens/project/overview'), 'Overview'),
});
const builds = createRoute({
  getParentRoute: () => project,
  path: '/builds',
  validateSearch: texts('q', 'platform', 'version', 'branch', 'warning', 'installable', 'channel'),
  component: screen('/o/$org/p/$project/builds', () => import('./screens/builds/builds'), 'Builds'),
});
const build = createRoute({
  getParentRoute: () => project,
  path: '/builds/$build',
  validateSearch: texts('promote', 'channel', 'updates'),
  component: screen('/o/$org/p/$project/builds/$build', () => import('./screens/builds/build'), 'Build'),
});
const buildDownloads = createRoute({
  getParentRoute: () => project,
  path: '/builds/$build/downloads',
  component: screen(
    '/o/$org/p/$project/builds/$build/downloads',
    () => import('./screens/builds/build-downloads'),
    'BuildDownloads',
  ),
});
const compare = createRoute({
  getParentRoute: () => project,
  path: '/compare',
  validateSearch: texts('from', 'to'),
  component: screen('/o/$org/p/$project/compare', () => import('./screens/builds/compare'), 'Compare'),
});
const channels = createRoute({
  getParentRoute: () => project,
  path: '/channels',
  validateSearch: texts('create'),
  component: screen('/o/$org/p/$project/channels', () => import('./screens/channels/channels'), 'Channels'),
});
const channel = createRoute({
  getParentRoute: () => project,
  path: '/channels/$channel',
  validateSearch: texts('promote', 'updates', 'framework'),
  component: screen('/o/$org/p/$project/channels/$channel', () => import('./screens/channels/channel'), 'Channel'),
});
const testers = createRoute({
  getParentRoute: () => project,
  path: '/testers',
  validateSearch: texts('q', 'channel', 'state', 'add'),
  component: screen('/o/$org/p/$project/testers', () => import('./screens/testers/testers'), 'Testers'),
});
const importTesters = createRoute({
  getParentRoute: () => project,
  path: '/testers/import',
  component: screen(
    '/o/$org/p/$project/testers/import',
    () => import('./screens/testers/import/import-testers'),
    'ImportTesters',
  ),
});
const tester = createRoute({
  getParentRoute: () => project,
  path: '/testers/$tester',
  component: screen('/o/$org/p/$project/testers/$tester', () => import('./screens/testers/tester'), 'Tester'),
});
const projectTokens = createRoute({
  getParentRoute: () => project,
  path: '/tokens',
  validateSearch: texts('new'),
  component: screen('/o/$org/p/$project/tokens', () => import('./screens/tokens/project-tokens'), 'ProjectTokens'),
});
const access = createRoute({
  getParentRoute: () => project,
  path: '/access',
  validateSearch: texts('add'),
  component: screen('/o/$org/p/$project/access', () => import('./screens/access/access'), 'Access'),
});
const projectSettings = createRoute({
  getParentRoute: () => project,
  path: '/settings',
  validateSearch: texts('updates', 'framework'),
  component: screen(
    '/o/$org/p/$project/settings',
    () => import('./screens/project/project-settings'),
    'ProjectSettings',
  ),
});

const routeTree = root.addChildren([
  visitor.addChildren([logIn, signUp, forgotPassword]),
  member.addChildren([
    start,
    welcome,
    account,
    security,
    personalTokens,
    ownData,
    device,
    organization.addChildren([
      projects,
      members,
      audit,
      billing,
      storage,
      organizationSettings,
      project.addChildren([
        overview,
        builds,
        build,
        buildDownloads,
        compare,
        channels,
        channel,
        testers,
        importTesters,
        tester,
        projectTokens,
        access,
        projectSettings,
      ]),
    ]),
  ]),
]);

/** The router of the dashboard. Search parameters are plain texts, so that addresses stay readable. */
export const createDashboardRouter = (queryClient: QueryClient) =>
  createRouter({
    routeTree,
    context: { queryClient },
    defaultPreload: 'intent',
    defaultPendingMs: 200,
    // A skeleton with a minimum duration would delay a screen that is ready.
    defaultPendingMinMs: 0,
    defaultPendingComponent: Pending,
    defaultErrorComponent: Failed,
    parseSearch: parseSearchWith((value) => value),
    stringifySearch: stringifySearchWith(String),
    scrollRestoration: true,
  });

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createDashboardRouter>;
  }
}
