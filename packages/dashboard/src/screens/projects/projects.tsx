import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useTitle } from '../../frame/use-title';
import { itemsOf, ListScreen } from '../../parts/lists/list-screen';
import { useDialog } from '../../parts/use-dialog';
import { useOrganizations } from '../../queries/account/session';
import { PACE } from '../../queries/client';
import { projectsQuery } from '../../queries/organization/projects';
import { seesEveryProject, seesProjects } from '../../session/home-of';
import { useMay } from '../../session/use-may';
import { Button, buttonClass, EmptyState, PageHeader, SearchField, Stack, Toolbar } from '../../ui';
import { useFormat } from '../../words/use-format';
import { useWords } from '../../words/words-provider';
import { Attention } from './attention';
import { CreateProject } from './create-project';
import { ProjectsTable, type ProjectsTableProps } from './projects-table';

/** The overview of an organization: its projects with their latest changes, and tasks. */
export function Projects() {
  const words = useWords().projects;
  const { org } = useParams({ from: '/member/o/$org' });
  const { q } = useSearch({ from: '/member/o/$org/' });
  const organization = useOrganizations().find(({ id }) => id === org);
  useTitle(words.heading, organization?.name);
  const list = useInfiniteQuery({
    ...projectsQuery(org, q),
    placeholderData: keepPreviousData,
    refetchInterval: PACE.counts,
  });
  const projects = itemsOf(list);
  // Without a project, the button is in the middle of the screen.
  const isBeginning =
    list.isSuccess && projects.length === 0 && q === undefined && seesEveryProject(organization?.roles ?? []);
  return (
    <Stack>
      <PageHeader
        title={words.heading}
        detail={[organization?.name, projects.length > 1 && words.newestFirst].filter(Boolean).join(' · ')}
        actions={!isBeginning && <Create />}
      />
      <ListScreen list={list} count={projects.length} rows={5} forms={words.count}>
        <List projects={projects} stale={list.isPlaceholderData} />
      </ListScreen>
      <Attention organizationId={org} projects={projects} />
    </Stack>
  );
}

function List({ projects, stale }: ProjectsTableProps) {
  const { q } = useSearch({ from: '/member/o/$org/' });
  const isEmpty = projects.length === 0;
  return (
    <>
      {(!isEmpty || q !== undefined) && <Search />}
      {isEmpty ? <NoProjects isFiltered={q !== undefined} /> : <ProjectsTable projects={projects} stale={stale} />}
    </>
  );
}

function Search() {
  const words = useWords().projects;
  const { q = '' } = useSearch({ from: '/member/o/$org/' });
  const navigate = useNavigate({ from: '/o/$org/' });
  return (
    <Toolbar role="search">
      <SearchField
        label={words.search}
        shortcut="/"
        value={q}
        onValue={(text) => void navigate({ search: (before) => ({ ...before, q: text || undefined }), replace: true })}
      />
    </Toolbar>
  );
}

function Create() {
  const words = useWords().projects;
  const { org } = useParams({ from: '/member/o/$org' });
  const dialog = useDialog('create');
  const reason = useMay({ organizationId: org })('POST /projects');
  return (
    <>
      <Button variant="primary" icon="plus" disabledReason={reason} onClick={() => dialog.open('1')}>
        {words.create}
      </Button>
      {dialog.value !== undefined && reason === undefined && (
        <CreateProject organizationId={org} onClose={dialog.close} />
      )}
    </>
  );
}

function NoProjects({ isFiltered }: { isFiltered: boolean }) {
  const { projects: words, roles: names } = useWords();
  const { empty, nothing, hidden } = words;
  const format = useFormat();
  const navigate = useNavigate({ from: '/o/$org/' });
  const { org } = useParams({ from: '/member/o/$org' });
  const roles = useOrganizations().find(({ id }) => id === org)?.roles ?? [];
  if (!seesEveryProject(roles)) {
    const heading = hidden.heading(format.quoted(roles.map((role) => names[role])));
    return (
      <EmptyState title={heading} actions={roles.includes('BILLING') && <BillingLink />}>
        {seesProjects(roles) ? hidden.ofMember : hidden.text}
      </EmptyState>
    );
  }
  return isFiltered ? (
    <EmptyState
      title={nothing.heading}
      icon="search"
      actions={<Button onClick={() => void navigate({ search: {} })}>{nothing.clear}</Button>}
    >
      {nothing.text}
    </EmptyState>
  ) : (
    <EmptyState title={empty.heading} actions={<Create />}>
      {empty.text}
    </EmptyState>
  );
}

function BillingLink() {
  const words = useWords().projects.attention;
  const { org } = useParams({ from: '/member/o/$org' });
  return (
    <Link to="/o/$org/billing" params={{ org }} className={buttonClass('primary')}>
      {words.billing}
    </Link>
  );
}
