import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Dialog, Icon } from '../../ui';
import { useWords } from '../../words/words-provider';
import styles from '../frame.module.css';
import { organizationItems, projectItems, useMark } from './places';
import { type FramePlace, Sidebar } from './sidebar';

const FIRST = 4;
const FIRST_OF_ORGANIZATION = 3;

/** On a phone: the first screens of the project, and everything else behind "More". */
export function BottomBar({ organizationId, projectId }: FramePlace) {
  const words = useWords().frame;
  const markOf = useMark();
  const others =
    projectId === undefined ? organizationItems(words).slice(FIRST_OF_ORGANIZATION) : projectItems(words).slice(FIRST);
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <nav aria-label={projectId === undefined ? words.organization : words.project} className={styles.bottom}>
        {organizationId !== undefined &&
          projectId !== undefined &&
          projectItems(words)
            .slice(0, FIRST)
            .map(({ to, label, icon, exact, also = [] }) => (
              <Link
                key={to}
                to={to}
                params={{ org: organizationId, project: projectId }}
                activeOptions={{ exact, includeSearch: false }}
                aria-current={markOf({ to, also })}
              >
                <Icon name={icon} />
                <span>{label}</span>
              </Link>
            ))}
        {organizationId !== undefined &&
          projectId === undefined &&
          organizationItems(words)
            .slice(0, FIRST_OF_ORGANIZATION)
            .map(({ to, label, icon, exact }) => (
              <Link key={to} to={to} params={{ org: organizationId }} activeOptions={{ exact, includeSearch: false }}>
                <Icon name={icon} />
                <span>{label}</span>
              </Link>
            ))}
        <button type="button" aria-haspopup="dialog" aria-current={markOf(...others)} onClick={() => setIsOpen(true)}>
          <Icon name="more" />
          <span>{words.more}</span>
        </button>
      </nav>
      <Dialog open={isOpen} onClose={() => setIsOpen(false)} title={words.more}>
        {isOpen && (
          <div className={styles.sheet} onClick={(event) => (event.target as Element).closest('a') && setIsOpen(false)}>
            <Sidebar organizationId={organizationId} projectId={projectId} />
          </div>
        )}
      </Dialog>
    </>
  );
}
