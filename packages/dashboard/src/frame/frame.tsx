import { HELP } from '@agate/client';
import { useQuery } from '@tanstack/react-query';
import { Outlet, useMatches, useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import { sessionQuery, useOrganizations } from '../queries/account/session';
import { projectQuery } from '../queries/organization/projects';
import { keepOrganization } from '../session/choices/last-organization';
import { useProjectPlace } from '../session/use-project-place';
import { HelpProvider, ToastProvider } from '../ui';
import { useWords } from '../words/words-provider';
import { Banners } from './banners';
import { deferred } from './deferred';
import { Found } from './found';
import styles from './frame.module.css';
import { useLive } from './live/use-live';
import { BottomBar } from './navigation/bottom-bar';
import { Sidebar } from './navigation/sidebar';
import { TopBar } from './navigation/top-bar';
import { NotFound } from './not-found';
import { listenToPaletteKey } from './palette/palette-state';
import { Pending } from './pending';

const UploadsLayer = deferred(
  async () => (await import('../uploads/uploads-layer')).UploadsLayer,
  ['uploads', 'builds'],
);
const Commands = deferred(async () => (await import('./keys/commands')).Commands, ['uploads']);

/** Navigation, banners and the current screen. */
export function Frame() {
  const words = useWords().frame;
  const { org, project } = useParams({ strict: false });
  const help = useMatches({ select: (matches) => matches.at(-1)?.staticData.help });
  const { data: session } = useQuery(sessionQuery);
  useEffect(listenToPaletteKey, []);
  // After a logout the session is empty before the address changes.
  if (!session?.developer) return null;
  // An organization that the developer does not belong to has no navigation: all its requests would be rejected.
  const place = session.organizations.some(({ id }) => id === org) ? { organizationId: org, projectId: project } : {};
  return (
    <ToastProvider>
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
          <HelpProvider value={help === undefined ? null : `${HELP}/${help}`}>
            <Outlet />
          </HelpProvider>
        </main>
        <BottomBar {...place} />
        <UploadsLayer />
        <Commands />
      </div>
    </ToastProvider>
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
