import { type ListedProjectResponse, type ProjectResponse } from '@agate/client';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import logo from '../../logo.svg';
import { itemsOf } from '../../parts/lists/list-screen';
import { useOrganizations } from '../../queries/account/session';
import { projectQuery, projectsQuery } from '../../queries/organization/projects';
import { AppIcon, Avatar, Icon, Menu } from '../../ui';
import { useWords } from '../../words/words-provider';
import styles from '../frame.module.css';
import { isCommandKeyboard } from '../keys/modifier';
import { openPalette } from '../palette/palette-state';
import { AccountMenu } from './account-menu';
import { organizationItems, projectItems, useMark } from './places';

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
  const list = useInfiniteQuery(projectsQuery(organizationId));
  if (list.isPending) return null;
  const projects = itemsOf(list);
  return (
    <>
      <ProjectNavigation organizationId={organizationId} projectId={projectId} projects={projects} />
      <OrganizationNavigation organizationId={organizationId} />
    </>
  );
}

/** The number of projects that are listed. The screen of the projects lists all. */
const SHOWN = 12;

interface ProjectNavigationProps extends NavigationProps {
  readonly projects: readonly ListedProjectResponse[];
}

/** The first projects. The open one is always among them, because its screens are below it. */
function useShown({ organizationId, projectId, projects }: ProjectNavigationProps) {
  const first: readonly ProjectResponse[] = projects.slice(0, SHOWN);
  const isMissing = projectId !== undefined && first.every(({ id }) => id !== projectId);
  const { data: open } = useQuery({
    ...projectQuery({ organization_id: organizationId, project_id: projectId ?? '' }),
    enabled: isMissing,
  });
  return isMissing && open ? [open, ...first.slice(0, SHOWN - 1)] : first;
}

function ProjectNavigation(props: ProjectNavigationProps) {
  const { organizationId, projectId, projects } = props;
  const words = useWords().frame;
  const shown = useShown(props);
  const markOf = useMark();
  return (
    <nav aria-label={words.project} className={styles.navigation}>
      <p className={styles.group} aria-hidden="true">
        {words.projects}
      </p>
      <ul>
        {shown.map(({ id, name, icon_url }) => (
          <li key={id}>
            <Link
              to="/o/$org/p/$project"
              params={{ org: organizationId, project: id }}
              className={styles.project}
              title={name}
              activeProps={{ 'aria-current': undefined }}
              data-open={id === projectId || undefined}
            >
              <AppIcon name={name} src={icon_url} size={24} />
              <span>{name}</span>
            </Link>
            {id === projectId && (
              <ul className={styles.inner}>
                {projectItems(words).map(({ to, label, icon, exact, also = [] }) => (
                  <li key={to}>
                    <Link
                      to={to}
                      params={{ org: organizationId, project: id }}
                      activeOptions={{ exact, includeSearch: false }}
                      aria-current={markOf({ to, also })}
                    >
                      <Icon name={icon} />
                      {label}
                    </Link>
                  </li>
                ))}
              </ul>
            )}
          </li>
        ))}
        {projects.length > SHOWN && (
          <li>
            <Link
              to="/o/$org"
              params={{ org: organizationId }}
              activeOptions={{ exact: true, includeSearch: false }}
              // The entry of all projects is the current one.
              activeProps={{ 'aria-current': false }}
            >
              <Icon name="more" />
              {words.moreProjects}
            </Link>
          </li>
        )}
      </ul>
    </nav>
  );
}

function OrganizationNavigation({ organizationId }: NavigationProps) {
  const words = useWords().frame;
  return (
    <nav aria-label={words.organization} className={styles.navigation}>
      <p className={styles.group} aria-hidden="true">
        {words.organization}
      </p>
      <ul>
        {organizationItems(words).map(({ to, label, icon, exact }) => (
          <li key={to}>
            <Link to={to} params={{ org: organizationId }} activeOptions={{ exact, includeSearch: false }}>
              <Icon name={icon} />
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Shows the organization that is open, and opens another one. */
function OrganizationSwitcher({ organizationId }: { organizationId?: string }) {
  const words = useWords().frame;
  const organizations = useOrganizations();
  const navigate = useNavigate();
  const current = organizations.find(({ id }) => id === organizationId);
  return (
    <Menu
      label={words.switchOrganization}
      className={styles.switcher}
      variant="quiet"
      trigger={
        <>
          {current ? <Avatar name={current.name} size={24} square /> : <img src={logo} alt="" width="24" height="24" />}
          <span className={styles.current} data-text={current?.name ?? words.product} />
        </>
      }
      items={[
        {
          label: words.organization,
          items: organizations.map(({ id, name }) => ({
            label: name,
            checked: id === organizationId,
            onSelect: () => void navigate({ to: '/o/$org', params: { org: id } }),
          })),
        },
        { label: words.newOrganization, onSelect: () => void navigate({ to: '/welcome' }) },
      ]}
    />
  );
}

/** Opens the palette. */
function SearchButton() {
  const words = useWords().frame;
  const isCommand = isCommandKeyboard();
  return (
    <button
      type="button"
      className={styles.search}
      aria-label={words.search}
      aria-keyshortcuts={isCommand ? 'Meta+K' : 'Control+K'}
      onClick={openPalette}
    >
      <Icon name="search" />
      <span>{words.searchShort}</span>
      <kbd aria-hidden="true" data-text={isCommand ? words.paletteKeys.command : words.paletteKeys.control} />
    </button>
  );
}
