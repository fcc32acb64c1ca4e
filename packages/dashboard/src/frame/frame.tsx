import '../ui/more-icons';
import { HELP } from '@agate/client';
import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useMatches, useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import logo from '../logo.svg';
import { deferred } from '../parts/deferred';
import { sessionQuery, useOrganizations } from '../queries/account/session';
import { projectQuery } from '../queries/organization/projects';
import { keepOrganization } from '../session/choices/last-organization';
import { useProjectPlace } from '../session/use-project-place';
import { HelpProvider, ToastProvider } from '../ui';
import { useWords } from '../words/words-provider';
import { Banners } from './banners';
import { Found } from './found';
import styles from './frame.module.css';
import { useLive } from './live/use-live';
import { AccountMenu } from './navigation/account-menu';
import { BottomBar } from './navigation/bottom-bar';
import { Sidebar } from './navigation/sidebar';
import { TopBar } from './navigation/top-bar';
import { NotFound } from './not-found';
import { listenToPaletteKey } from './palette/palette-state';
import { Pending } from './pending';
import { usePlace } from './use-place';

const UploadsLayer = deferred(
  async () => (await import('../uploads/uploads-layer')).UploadsLayer,
  ['uploads', 'builds'],
);
const Commands = deferred(async () => (await import('./keys/commands')).Commands, ['uploads']);

/** What surrounds every screen behind the login. */
export function Frame() {
  const help = useMatches({ select: (matches) => matches.at(-1)?.staticData.help });
  const { data: session } = useQuery(sessionQuery);
  // After a logout the session is empty before the address changes.
  if (!session?.developer) return null;
  return (
    <ToastProvider>
      <HelpProvider value={help === undefined ? null : `${HELP}/${help}`}>
        <Surroundings />
      </HelpProvider>
    </ToastProvider>
  );
}

/** Navigation, banners and the current screen. Before there is a project, the navigation would lead nowhere. */
function Surroundings() {
  const words = useWords().frame;
  const screen = useMatches({ select: (matches) => matches.at(-1)?.fullPath ?? '' });
  const { organizationId, projectId } = usePlace();
  const isKnown = useOrganizations().some(({ id }) => id === organizationId);
  useEffect(listenToPaletteKey, []);
  if (screen === '/welcome' && projectId === undefined) return <Welcoming />;
  // An organization that the developer does not belong to has no navigation: all its requests would be rejected.
  const place = isKnown ? { organizationId, projectId } : {};
  return (
    <div className={styles.frame}>
      <a className={styles.skip} href="#content">
        {words.skip}
      </a>
      <TopBar {...place} />
      <div className={styles.side}>
        <Sidebar {...place} />
      </div>
      <main id="content" tabIndex={-1} className={styles.content}>
        <Banners />
        <Outlet />
      </main>
      <BottomBar {...place} />
      <UploadsLayer />
      <Commands />
    </div>
  );
}

/** The first steps, with the way back for developers who have an organization. */
function Welcoming() {
  const words = useWords().frame;
  return (
    <div className={styles.bare}>
      <header className={styles.bareHead}>
        <Link to={useOrganizations().length > 0 ? '/' : '/welcome'} className={styles.home}>
          <img src={logo} alt="" width="24" height="24" />
          {words.product}
        </Link>
        <div>
          <AccountMenu />
        </div>
      </header>
      <main id="content" tabIndex={-1} className={styles.content}>
        <Banners />
        <Outlet />
      </main>
    </div>
  );
}

/** The screens of one organization. Stores it as the one to open at the next start. */
export function Organization() {
  const { org } = useParams({ from: '/member/o/$org' });
  const isKnown = useOrganizations().some(({ id }) => id === org);
  useLive(org, isKnown);
  useEffect(() => {
    if (isKnown) keepOrganization(org);
  }, [org, isKnown]);
  return isKnown ? <Outlet /> : <NotFound />;
}

/** The screens of one project. */
export function Project() {
  const { scope } = useProjectPlace();
  return (
    <Found query={useQuery(projectQuery(scope))} waiting={<Pending />}>
      {() => <Outlet />}
    </Found>
  );
}
