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
import { Booting, BootingEntrance } from './frame/booting';
import { Failed } from './frame/failed';
import { Pending, PendingTable } from './frame/pending';
import { isTableScreen } from './frame/table-screens';
import { sessionQuery } from './queries/account/session';
import * as screens from './screens/routes';
import { type Screen } from './screens/screen';
import { lastOrganization } from './session/choices/last-organization';
import { homeOf } from './session/home-of';
import { afterLogin } from './session/next';
import { loadAreas } from './words/load-words';

interface Context {
  readonly queryClient: QueryClient;
}

/** Keeps the named search parameters that are texts. Invalid values are dropped and cause no error. */
const texts =
  <Name extends string>(names: readonly Name[]) =>
  (given: Record<string, unknown>): { [name in Name]?: string } => {
    const kept: { [name in Name]?: string } = {};
    for (const name of names) {
      const value = given[name];
      if (typeof value === 'string' && value !== '') kept[name] = value;
      else if (typeof value === 'number') kept[name] = String(value);
    }
    return kept;
  };

type Below<Prefix extends string, Path extends string> = Path extends `${Prefix}${infer Rest}`
  ? Rest extends ''
    ? '/'
    : Rest
  : never;

/** The route of a screen below a path. Its texts are loaded together with its file: a component that suspends would be shown later. */
const below =
  <const Prefix extends string>(prefix: Prefix) =>
  <Path extends string, Search extends string, File extends Record<string, unknown>, Name extends keyof File & string>({
    path,
    search = [],
    words = [],
    help,
    file,
    component,
  }: Screen<Path, Search, File, Name>) => ({
    path: (path.slice(prefix.length) || '/') as Below<Prefix, Path>,
    validateSearch: texts(search),
    loader: () => loadAreas(words),
    staleTime: Infinity,
    staticData: { help },
    component: lazyRouteComponent(file, component),
    pendingComponent: isTableScreen(path) ? PendingTable : Pending,
  });
const alone = below('');
const inOrganization = below('/o/$org');
const inProject = below('/o/$org/p/$project');

const root = createRootRouteWithContext<Context>()({
  component: Outlet,
});

/** Screens for visitors without a session. A visitor with a session is redirected to the requested screen. */
const visitor = createRoute({
  getParentRoute: () => root,
  id: 'visitor',
  beforeLoad: async ({ context, location }) => {
    const session = await context.queryClient.ensureQueryData(sessionQuery);
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- how this router redirects
    if (session.state === 'active') throw redirect(afterLogin(texts(['next'])(location.search).next));
  },
  component: lazyRouteComponent(() => import('./screens/session/entrance'), 'Entrance'),
  pendingComponent: BootingEntrance,
});

/** Screens that look like those of visitors, with or without a session. */
const entrance = createRoute({
  getParentRoute: () => root,
  id: 'entrance',
  component: lazyRouteComponent(() => import('./screens/session/entrance'), 'Entrance'),
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
  pendingComponent: Booting,
});
const start = createRoute({
  getParentRoute: () => member,
  path: '/',
  beforeLoad: ({ context }) => {
    const { organizations } = context.session;
    const last = lastOrganization();
    const organization = organizations.find(({ id }) => id === last) ?? organizations[0];
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- how this router redirects
    throw organization ? redirect(homeOf(organization)) : redirect({ to: '/welcome' });
  },
});
const organization = createRoute({
  getParentRoute: () => member,
  path: '/o/$org',
  component: lazyRouteComponent(() => import('./frame/frame'), 'Organization'),
});
const project = createRoute({
  getParentRoute: () => organization,
  path: '/p/$project',
  component: lazyRouteComponent(() => import('./frame/frame'), 'Project'),
});

const logIn = createRoute({ getParentRoute: () => visitor, ...alone(screens.logIn) });
const signUp = createRoute({ getParentRoute: () => visitor, ...alone(screens.signUp) });
const join = createRoute({ getParentRoute: () => entrance, ...alone(screens.join) });
const forgotPassword = createRoute({ getParentRoute: () => visitor, ...alone(screens.forgotPassword) });
const welcome = createRoute({ getParentRoute: () => member, ...alone(screens.welcome) });
const account = createRoute({ getParentRoute: () => member, ...alone(screens.account) });
const security = createRoute({ getParentRoute: () => member, ...alone(screens.security) });
const personalTokens = createRoute({ getParentRoute: () => member, ...alone(screens.personalTokens) });
const ownData = createRoute({ getParentRoute: () => member, ...alone(screens.ownData) });
const device = createRoute({ getParentRoute: () => member, ...alone(screens.device) });
const projects = createRoute({ getParentRoute: () => organization, ...inOrganization(screens.projects) });
const members = createRoute({ getParentRoute: () => organization, ...inOrganization(screens.members) });
const audit = createRoute({ getParentRoute: () => organization, ...inOrganization(screens.audit) });
const billing = createRoute({ getParentRoute: () => organization, ...inOrganization(screens.billing) });
const storage = createRoute({ getParentRoute: () => organization, ...inOrganization(screens.storage) });
const organizationTokens = createRoute({
  getParentRoute: () => organization,
  ...inOrganization(screens.organizationTokens),
});
const organizationSettings = createRoute({
  getParentRoute: () => organization,
  ...inOrganization(screens.organizationSettings),
});
const branding = createRoute({ getParentRoute: () => organization, ...inOrganization(screens.branding) });
const organizationWebhooks = createRoute({
  getParentRoute: () => organization,
  ...inOrganization(screens.organizationWebhooks),
});
const organizationWebhook = createRoute({
  getParentRoute: () => organization,
  ...inOrganization(screens.organizationWebhook),
});
const overview = createRoute({ getParentRoute: () => project, ...inProject(screens.overview) });
const builds = createRoute({ getParentRoute: () => project, ...inProject(screens.builds) });
const build = createRoute({ getParentRoute: () => project, ...inProject(screens.build) });
const buildDownloads = createRoute({ getParentRoute: () => project, ...inProject(screens.buildDownloads) });
const compare = createRoute({ getParentRoute: () => project, ...inProject(screens.compare) });
const channels = createRoute({ getParentRoute: () => project, ...inProject(screens.channels) });
const channel = createRoute({ getParentRoute: () => project, ...inProject(screens.channel) });
const buildLinks = createRoute({ getParentRoute: () => project, ...inProject(screens.buildLinks) });
const channelLinks = createRoute({ getParentRoute: () => project, ...inProject(screens.channelLinks) });
const openLink = createRoute({ getParentRoute: () => project, ...inProject(screens.openLink) });
const testers = createRoute({ getParentRoute: () => project, ...inProject(screens.testers) });
const importTesters = createRoute({ getParentRoute: () => project, ...inProject(screens.importTesters) });
const tester = createRoute({ getParentRoute: () => project, ...inProject(screens.tester) });
const devices = createRoute({ getParentRoute: () => project, ...inProject(screens.devices) });
const projectTokens = createRoute({ getParentRoute: () => project, ...inProject(screens.projectTokens) });
const retention = createRoute({ getParentRoute: () => project, ...inProject(screens.retention) });
const trash = createRoute({ getParentRoute: () => project, ...inProject(screens.trash) });
const agents = createRoute({ getParentRoute: () => project, ...inProject(screens.agents) });
const access = createRoute({ getParentRoute: () => project, ...inProject(screens.access) });
const projectSettings = createRoute({ getParentRoute: () => project, ...inProject(screens.projectSettings) });
const projectWebhooks = createRoute({ getParentRoute: () => project, ...inProject(screens.projectWebhooks) });
const projectWebhook = createRoute({ getParentRoute: () => project, ...inProject(screens.projectWebhook) });

/** Mistyped addresses stay in the frame, with the navigation of what their beginning names. */
const NotFound = lazyRouteComponent(() => import('./frame/not-found'), 'NotFound');
const unknown = createRoute({ getParentRoute: () => member, path: '$', component: NotFound });
const unknownOfOrganization = createRoute({ getParentRoute: () => organization, path: '$', component: NotFound });
const unknownOfProject = createRoute({ getParentRoute: () => project, path: '$', component: NotFound });

const routeTree = root.addChildren([
  visitor.addChildren([logIn, signUp, forgotPassword]),
  entrance.addChildren([join]),
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
      organizationTokens,
      organizationSettings,
      branding,
      organizationWebhooks,
      organizationWebhook,
      project.addChildren([
        overview,
        builds,
        build,
        buildDownloads,
        compare,
        channels,
        channel,
        buildLinks,
        channelLinks,
        openLink,
        testers,
        importTesters,
        tester,
        devices,
        projectTokens,
        access,
        projectSettings,
        projectWebhooks,
        projectWebhook,
        retention,
        trash,
        agents,
        unknownOfProject,
      ]),
      unknownOfOrganization,
    ]),
    unknown,
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
    defaultNotFoundComponent: NotFound,
    parseSearch: parseSearchWith((value) => value),
    stringifySearch: stringifySearchWith(String),
    scrollRestoration: true,
  });

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createDashboardRouter>;
  }
  interface StaticDataRouteOption {
    readonly help?: string | undefined;
  }
  /** What a link hands to the next screen without showing it in the address. */
  interface HistoryState {
    /** The address that the login form starts with. */
    email?: string;
  }
}
