import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import logo from '../../logo.svg';
import { useOrganizations } from '../../queries/account/session';
import { projectQuery } from '../../queries/organization/projects';
import { Icon } from '../../ui';
import { useWords } from '../../words/words-provider';
import styles from '../frame.module.css';
import { openPalette } from '../palette/palette-state';
import { type FramePlace } from './sidebar';

/** On a phone: the name of the current screen, and the search. */
export function TopBar({ organizationId, projectId }: FramePlace) {
  const words = useWords().frame;
  const organization = useOrganizations().find(({ id }) => id === organizationId);
  const { data: project } = useQuery({
    ...projectQuery({ organization_id: organizationId ?? '', project_id: projectId ?? '' }),
    enabled: projectId !== undefined,
  });
  return (
    <header className={styles.top}>
      <Link to="/" className={styles.home}>
        <img src={logo} alt={words.product} width="24" height="24" />
      </Link>
      <span className={styles.where}>{project?.name ?? organization?.name ?? words.product}</span>
      <button type="button" className={styles.iconButton} aria-label={words.search} onClick={openPalette}>
        <Icon name="search" />
      </button>
    </header>
  );
}
