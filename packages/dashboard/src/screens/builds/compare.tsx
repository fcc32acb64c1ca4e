import { ApiError } from '@agate/client';
import { useInfiniteQuery, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useTitle } from '../../frame/use-title';
import { BuildDiff } from '../../parts/builds/build-diff';
import { FileChanges } from '../../parts/builds/file-changes';
import { itemsOf } from '../../parts/lists/list-screen';
import { LoadError } from '../../parts/lists/load-error';
import { projectQuery } from '../../queries/organization/projects';
import { type Build, buildQuery, buildsQuery, versionOf } from '../../queries/project/builds';
import { diffQuery } from '../../queries/project/releases';
import { useProjectPlace } from '../../session/use-project-place';
import {
  Button,
  Card,
  Columns,
  DescriptionList,
  EmptyState,
  PageHeader,
  Select,
  Skeleton,
  Stack,
  Time,
  Toolbar,
} from '../../ui';
import { useFormat } from '../../words/use-format';
import { useWords } from '../../words/words-provider';
import { CommitChanges } from './commit-changes';

/** The differences between two builds of a project. Both ids are in the address. */
export function Compare() {
  const words = useWords();
  const { comparison } = words.build;
  const { scope, params } = useProjectPlace();
  const { from, to } = useSearch({ from: '/member/o/$org/p/$project/compare' });
  const navigate = useNavigate({ from: '/o/$org/p/$project/compare' });
  const { data: project } = useQuery(projectQuery(scope));
  const list = useInfiniteQuery(buildsQuery(scope));
  useTitle(comparison.heading, project?.name);
  const builds = itemsOf(list);
  const before = useQuery({ ...buildQuery(scope, from ?? ''), enabled: from !== undefined });
  const after = useQuery({ ...buildQuery(scope, to ?? ''), enabled: to !== undefined });
  const options = (chosen: Build | undefined) => [
    { value: '', label: comparison.chooseBuild },
    ...withChosen(builds, chosen).map((build) => ({
      value: build.id,
      label: `${versionOf(build)} · ${words.builds.platforms[build.platform] ?? build.platform}`,
    })),
  ];
  return (
    <Stack gap={16}>
      <PageHeader
        title={comparison.heading}
        above={
          <Link to="/o/$org/p/$project/builds" params={params}>
            {words.frame.builds}
          </Link>
        }
      />
      <Toolbar>
        <Select
          label={comparison.from}
          value={from ?? ''}
          options={options(before.data)}
          onChange={(event) => void navigate({ search: { to, from: event.target.value || undefined } })}
        />
        <Select
          label={comparison.to}
          value={to ?? ''}
          options={options(after.data)}
          onChange={(event) => void navigate({ search: { from, to: event.target.value || undefined } })}
        />
        <Button
          icon="swap"
          missing={from === undefined || to === undefined ? comparison.choose : undefined}
          onClick={() => void navigate({ search: { from: to, to: from } })}
        >
          {comparison.swap}
        </Button>
        {list.hasNextPage && (
          <Button variant="quiet" busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            {comparison.older}
          </Button>
        )}
      </Toolbar>
      <Outcome before={before} after={after} areChosen={from !== undefined && to !== undefined} />
    </Stack>
  );
}

interface OutcomeProps {
  readonly before: UseQueryResult<Build>;
  readonly after: UseQueryResult<Build>;
  readonly areChosen: boolean;
}

function Outcome({ before, after, areChosen }: OutcomeProps) {
  const { comparison } = useWords().build;
  if (!areChosen) return <EmptyState icon="table" title={comparison.choose} />;
  if (before.data && after.data) {
    if (before.data.id === after.data.id) return <EmptyState icon="table" title={comparison.sameBuild} />;
    return <Changes before={before.data} after={after.data} />;
  }
  const failed = [before, after].find(({ error }) => error !== null);
  if (!failed?.error) return <Skeleton shape="cards" count={3} />;
  const isMissing = failed.error instanceof ApiError && (failed.error.status === 404 || failed.error.status === 400);
  if (isMissing) return <p role="alert">{comparison.missing}</p>;
  return <LoadError error={failed.error} onRetry={() => void failed.refetch()} />;
}

function Changes({ before, after }: { before: Build; after: Build }) {
  const { differences: words, build } = useWords();
  const { comparison } = build;
  const { scope } = useProjectPlace();
  const { data: diff, error, refetch } = useQuery(diffQuery(scope, after.id, before.id));
  return (
    <>
      <Columns>
        <Side title={comparison.from} build={before} />
        <Side title={comparison.to} build={after} />
      </Columns>
      <Card title={comparison.changes}>
        {!diff && !error && <Skeleton count={5} />}
        {!diff && error && <LoadError error={error} onRetry={() => void refetch()} />}
        {diff && (
          <>
            <BuildDiff before={before} after={after} diff={diff} />
            {diff.commits && <CommitChanges commits={diff.commits} source={after.source} />}
          </>
        )}
      </Card>
      {diff?.contents && diff.contents.files.length > 0 && (
        <Card title={words.files}>
          <FileChanges contents={diff.contents} />
        </Card>
      )}
    </>
  );
}

/** One of the two builds: where it comes from, and the link to it. */
function Side({ title, build }: { title: string; build: Build }) {
  const { build: words, builds } = useWords();
  const format = useFormat();
  const { params } = useProjectPlace();
  const { source } = build;
  return (
    <Card
      title={`${title}: ${versionOf(build)}`}
      actions={
        <Link to="/o/$org/p/$project/builds/$build" params={{ ...params, build: build.id }}>
          {words.comparison.open}
        </Link>
      }
    >
      <DescriptionList
        items={[
          { label: builds.platform, value: builds.platforms[build.platform] ?? build.platform },
          { label: words.branch, value: source.branch, mono: true },
          { label: words.commit, value: source.commit?.slice(0, 12), mono: true },
          { label: words.uploaded, value: <Time value={build.uploaded_at} /> },
          { label: words.size, value: format.bytes(build.size_bytes) },
        ]}
      />
    </Card>
  );
}

/** The builds to choose from. A chosen one may be older than those of the first page. */
const withChosen = (builds: readonly Build[], chosen: Build | undefined): readonly Build[] =>
  chosen === undefined || builds.some(({ id }) => id === chosen.id) ? builds : [...builds, chosen];
