import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { ListState } from '../../parts/lists/list-state';
import { ListFoot } from '../../parts/lists/list-foot';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useTitle } from '../../frame/use-title';
import { PACE } from '../../queries/client';
import { projectsQuery } from '../../queries/organization/projects';
import { useOrganizations } from '../../queries/account/session';
import { useMay } from '../../session/use-may';
import { Button, EmptyState, PageHeader, SearchField, Stack, Toolbar } from '../../ui';
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
  const projects = list.data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <Stack>
      <PageHeader title={words.heading} detail={organization?.name} actions={<Create />} />
      <ListState list={list} rows={5} />
      {list.data && (
        <>
          <List projects={projects} stale={list.isPlaceholderData} />
          <ListFoot list={list} count={projects.length} forms={words.count} more={words.more} />
        </>
      )}
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

/** The button that opens the dialog. The address says that it is open, so that a link can lead to it. */
function Create() {
  const words = useWords().projects;
  const { org } = useParams({ from: '/member/o/$org' });
  const { create } = useSearch({ from: '/member/o/$org/' });
  const navigate = useNavigate({ from: '/o/$org/' });
  const reason = useMay({ organizationId: org })('POST /projects');
  const show = (shown: boolean): void =>
    void navigate({ search: (before) => ({ ...before, create: shown ? '1' : undefined }), replace: !shown });
  return (
    <>
      <Button variant="primary" icon="plus" disabledReason={reason} onClick={() => show(true)}>
        {words.create}
      </Button>
      {create !== undefined && reason === undefined && (
        <CreateProject organizationId={org} onClose={() => show(false)} />
      )}
    </>
  );
}

function NoProjects({ isFiltered }: { isFiltered: boolean }) {
  const { empty, nothing } = useWords().projects;
  const navigate = useNavigate({ from: '/o/$org/' });
  return isFiltered ? (
    <EmptyState
      title={nothing.heading}
      actions={<Button onClick={() => void navigate({ search: {} })}>{nothing.clear}</Button>}
    >
      {nothing.text}
    </EmptyState>
  ) : (
    <EmptyState title={empty.heading}>{empty.text}</EmptyState>
  );
}
