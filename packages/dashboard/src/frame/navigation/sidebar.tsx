import { type ListedProjectResponse } from '@agate/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { projectsQuery } from '../../queries/organization/projects';
import { AppIcon } from '../../ui';
import { useWords } from '../../words/words-provider';
import { AccountMenu } from './account-menu';
import styles from '../frame.module.css';
import { OrganizationSwitcher } from './organization-switcher';
import { organizationItems, projectItems } from './places';
import { SearchButton } from './search-button';

export interface FramePlace {
  readonly organizationId?: string;
  readonly projectId?: string;
}

/** The navigation beside the screen: organization, search, projects, screens of the organization, account. */
export function Sidebar({ organizationId, projectId }: FramePlace) {
  return (
    <>
      <OrganizationSwitcher organizationId={organizationId} />
      <SearchButton />
      {organizationId !== undefined && <Navigation organizationId={organizationId} projectId={projectId} />}
      <div className={styles.foot}>
        <AccountMenu />
      </div>
    </>
  );
}

interface NavigationProps {
  readonly organizationId: string;
  readonly projectId?: string;
}

/** Appears as a whole, because the projects are above the screens of the organization. */
function Navigation({ organizationId, projectId }: NavigationProps) {
  const { data, isPending } = useInfiniteQuery(projectsQuery(organizationId));
  if (isPending) return null;
  const projects = data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <>
      <ProjectNavigation organizationId={organizationId} projectId={projectId} projects={projects} />
      <OrganizationNavigation organizationId={organizationId} />
    </>
  );
}

function ProjectNavigation({
  organizationId,
  projectId,
  projects,
}: NavigationProps & { projects: readonly ListedProjectResponse[] }) {
  const words = useWords().frame;
  return (
    <nav aria-label={words.project} className={styles.navigation}>
      <ul>
        {projects.map(({ id, name, icon_url }) => (
          <li key={id}>
            <Link
              to="/o/$org/p/$project"
              params={{ org: organizationId, project: id }}
              className={styles.project}
              activeProps={{ 'aria-current': undefined }}
              data-open={id === projectId || undefined}
            >
              <AppIcon name={name} src={icon_url} size={24} />
              <span>{name}</span>
            </Link>
            {id === projectId && (
              <ul className={styles.inner}>
                {projectItems(words).map(({ to, label, exact }) => (
                  <li key={to}>
                    <Link
                      to={to}
                      params={{ org: organizationId, project: id }}
                      activeOptions={{ exact, includeSearch: false }}
                    >
                      {label}
                    </Link>
                  </li>
                ))}
              </ul>
            )}
          </li>
        ))}
      </ul>
    </nav>
  );
}

function OrganizationNavigation({ organizationId }: NavigationProps) {
  const words = useWords().frame;
  return (
    <nav aria-label={words.organization} className={styles.navigation}>
      <ul>
        {organizationItems(words).map(({ to, label, exact }) => (
          <li key={to}>
            <Link to={to} params={{ org: organizationId }} activeOptions={{ exact, includeSearch: false }}>
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
