import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { LoadError } from '../../frame/load-error';
import { useTitle } from '../../frame/use-title';
import { BuildDiff } from '../../parts/build-diff';
import { type Build, buildQuery, buildsQuery, versionOf } from '../../queries/builds';
import { projectQuery } from '../../queries/projects';
import { diffQuery } from '../../queries/releases';
import { useProjectPlace } from '../../session/use-project-place';
import { Button, Card, PageHeader, Select, Skeleton, Stack, Toolbar } from '../../ui';
import { useWords } from '../../words/words-provider';

/** What differs between two builds of a project. Both are in the address. */
export function Compare() {
  const words = useWords();
  const { comparison } = words.build;
  const { scope } = useProjectPlace();
  const { from, to } = useSearch({ from: '/member/o/$org/p/$project/compare' });
  const navigate = useNavigate({ from: '/o/$org/p/$project/compare' });
  const { data: project } = useQuery(projectQuery(scope));
  const list = useInfiniteQuery(buildsQuery(scope));
  useTitle(comparison.heading, project?.name);
  const builds = list.data?.pages.flatMap(({ items }) => items) ?? [];
  const before = useQuery({ ...buildQuery(scope, from ?? ''), enabled: from !== undefined }).data;
  const after = useQuery({ ...buildQuery(scope, to ?? ''), enabled: to !== undefined }).data;
  const options = (chosen: Build | undefined) => [
    { value: '', label: '–' },
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
          options={options(before)}
          onChange={(event) => void navigate({ search: { to, from: event.target.value || undefined } })}
        />
        <Select
          label={comparison.to}
          value={to ?? ''}
          options={options(after)}
          onChange={(event) => void navigate({ search: { from, to: event.target.value || undefined } })}
        />
        <Button icon="refresh" onClick={() => void navigate({ search: { from: to, to: from } })}>
          {comparison.swap}
        </Button>
      </Toolbar>
      <Card title={comparison.changes}>
        {before && after ? <Changes before={before} after={after} /> : <p>{comparison.choose}</p>}
      </Card>
    </Stack>
  );
}

function Changes({ before, after }: { before: Build; after: Build }) {
  const { scope } = useProjectPlace();
  const { data: diff, error, refetch } = useQuery(diffQuery(scope, after.id, before.id));
  if (error && !diff) return <LoadError error={error} onRetry={() => void refetch()} />;
  return diff ? <BuildDiff before={before} after={after} diff={diff} /> : <Skeleton count={5} />;
}

/** The builds to choose from. A chosen one may be older than those of the first page. */
const withChosen = (builds: readonly Build[], chosen: Build | undefined): readonly Build[] =>
  chosen === undefined || builds.some(({ id }) => id === chosen.id) ? builds : [...builds, chosen];
