import { useQuery } from '@tanstack/react-query';
import { Outlet, useParams } from '@tanstack/react-router';
import { sessionQuery } from '../queries/session';
import { UploadsLayer } from '../uploads';
import { useWords } from '../words/words-provider';
import { Banners } from './banners';
import { BottomBar } from './bottom-bar';
import styles from './frame.module.css';
import { Sidebar } from './sidebar';
import { TopBar } from './top-bar';

/** Navigation, banners and the current screen. */
export function Frame() {
  const words = useWords().frame;
  const { org, project } = useParams({ strict: false });
  const { data: session } = useQuery(sessionQuery);
  // After a logout the screen is gone before the address changes.
  if (!session?.developer) return null;
  return (
    <div className={styles.frame}>
      <a className={styles.skip} href="#content">
        {words.skip}
      </a>
      <TopBar organizationId={org} projectId={project} />
      <div className={styles.side}>
        <Sidebar organizationId={org} projectId={project} />
      </div>
      <main id="content" tabIndex={-1} className={styles.content}>
        <Banners />
        <Outlet />
      </main>
      <BottomBar organizationId={org} projectId={project} />
      <UploadsLayer />
    </div>
  );
}
