import { useQuery } from '@tanstack/react-query';
import { Outlet, useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import { sessionQuery } from '../queries/account/session';
import { ToastProvider } from '../ui';
import { useWords } from '../words/words-provider';
import { Banners } from './banners';
import { deferred } from './deferred';
import { BottomBar } from './navigation/bottom-bar';
import styles from './frame.module.css';
import { Sidebar } from './navigation/sidebar';
import { TopBar } from './navigation/top-bar';
import { listenToPaletteKey } from './palette/palette-state';

export { Organization } from './organization';
export { Project } from './project';

const UploadsLayer = deferred(
  async () => (await import('../uploads/uploads-layer')).UploadsLayer,
  ['uploads', 'builds'],
);
const Commands = deferred(async () => (await import('./keys/commands')).Commands, ['uploads']);

/** Navigation, banners and the current screen. */
export function Frame() {
  const words = useWords().frame;
  const { org, project } = useParams({ strict: false });
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
          <Outlet />
        </main>
        <BottomBar {...place} />
        <UploadsLayer />
        <Commands />
      </div>
    </ToastProvider>
  );
}
