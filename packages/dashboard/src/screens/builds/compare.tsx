import { ApiError } from '@agate/client';
import { useInfiniteQuery, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTitle } from '../../frame/use-title';
import { BuildDiff } from '../../parts/builds/build-diff';
import { FileChanges } from '../../parts/builds/file-changes';
import { itemsOf } from '../../parts/lists/list-screen';
import { LoadError } from '../../parts/lists/load-error';
import { projectQuery } from '../../queries/organization/projects';
import { type Build, buildQuery, buildsQuery, versionOf } from '../../queries/project/builds';
import { diffQuery } from '../../queries/project/releases';
import { useProjectPlace } from '../../session/use-project-place';
import { Button, Card, PageHeader, Select, Skeleton, Stack, Toolbar } from '../../ui';
import { useWords } from '../../words/words-provider';
import styles from './builds.module.css';
import { CommitChanges } from './commit-changes';

/** The differences between two builds of a project. Both ids are in the address. */
export function Compare() {
  const words = useWords();
  const { comparison } = words.build;
  const { scope } = useProjectPlace();
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
      <PageHeader title={comparison.heading} />
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
        <Button icon="refresh" onClick={() => void navigate({ search: { from: to, to: from } })}>
          {comparison.swap}
        </Button>
      </Toolbar>
      <Card title={comparison.changes}>
        <Outcome before={before} after={after} areChosen={from !== undefined && to !== undefined} />
      </Card>
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
  if (!areChosen) return <p className="soft">{comparison.choose}</p>;
  if (before.data && after.data) {
    if (before.data.id === after.data.id) return <p className="soft">{comparison.sameBuild}</p>;
    return <Changes before={before.data} after={after.data} />;
  }
  const failed = [before, after].find(({ error }) => error !== null);
  if (!failed?.error) return <Skeleton count={5} />;
  const isMissing = failed.error instanceof ApiError && (failed.error.status === 404 || failed.error.status === 400);
  if (isMissing) return <p role="alert">{comparison.missing}</p>;
  return <LoadError error={failed.error} onRetry={() => void failed.refetch()} />;
}

function Changes({ before, after }: { before: Build; after: Build }) {
  const { differences: words } = useWords();
  const { scope } = useProjectPlace();
  const { data: diff, error, refetch } = useQuery(diffQuery(scope, after.id, before.id));
  if (error && !diff) return <LoadError error={error} onRetry={() => void refetch()} />;
  return diff ? (
    <div className={styles.comparison}>
      <BuildDiff before={before} after={after} diff={diff} />
      {diff.commits && <CommitChanges commits={diff.commits} source={after.source} />}
      {diff.contents && diff.contents.files.length > 0 && (
        <details>
          <summary>{words.files}</summary>
          <FileChanges contents={diff.contents} />
        </details>
      )}
    </div>
  ) : (
    <Skeleton count={5} />
  );
}

/** The builds to choose from. A chosen one may be older than those of the first page. */
const withChosen = (builds: readonly Build[], chosen: Build | undefined): readonly Build[] =>
  chosen === undefined || builds.some(({ id }) => id === chosen.id) ? builds : [...builds, chosen];
