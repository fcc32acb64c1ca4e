import { type ProjectSummaryResponse } from '@agate/client';
import { usePrefetchQuery, useQuery } from '@tanstack/react-query';
import { useTitle } from '../../frame/use-title';
import { AttentionCard } from '../../parts/attention/attention-card';
import { useBuildTasks } from '../../parts/attention/use-build-tasks';
import { FirstBuild } from '../../parts/builds/first-build';
import { LoadError } from '../../parts/lists/load-error';
import { projectQuery, projectSummaryQuery } from '../../queries/organization/projects';
import { channelsQuery } from '../../queries/project/channels';
import { dailyDownloadsQuery } from '../../queries/project/downloads';
import { useProjectPlace } from '../../session/use-project-place';
import { AppIcon, Columns, PageHeader, Skeleton, Stack, Time } from '../../ui';
import { UploadButton } from '../../uploads';
import { useFormat } from '../../words/use-format';
import { useWords } from '../../words/words-provider';
import { CurrentBuilds } from './overview/current-builds';
import { EarlierReleases } from './overview/earlier-releases';
import { NewestBuilds } from './overview/newest-builds';
import { OverviewDownloads } from './overview/overview-downloads';
import { OverviewPromotion } from './overview/overview-promotion';

/**
 * The overview of a project: what testers get and whether they have it, the newest builds, downloads and releases. Without a build, how to
 * upload one.
 */
export function Overview() {
  const words = useWords();
  const { scope } = useProjectPlace();
  // Its response may have arrived already, because the page preloads it.
  usePrefetchQuery(dailyDownloadsQuery(scope));
  const { data: project } = useQuery(projectQuery(scope));
  const { data: summary, error, refetch } = useQuery(projectSummaryQuery(scope));
  // The channels are above the downloads. Both sections appear together, so that nothing moves.
  const { isPending } = useQuery(channelsQuery(scope));
  useTitle(words.frame.overview, project?.name);
  const name = project?.name ?? '';
  return (
    <Stack>
      <PageHeader
        title={name}
        icon={<AppIcon name={name} src={summary?.icon_url} size={64} />}
        detail={summary && <Facts summary={summary} />}
        actions={<UploadButton />}
      />
      {summary && !isPending && <Sections summary={summary} name={name} />}
      {!summary && error && <LoadError error={error} onRetry={() => void refetch()} />}
      {(summary ? isPending : !error) && <Skeleton shape="cards" count={4} />}
    </Stack>
  );
}

interface SummaryProps {
  readonly summary: ProjectSummaryResponse;
}

function Sections({ summary, name }: SummaryProps & { name: string }) {
  const { organizationId, projectId } = useProjectPlace();
  if (summary.latest.length === 0) return <FirstBuild organizationId={organizationId} projectId={projectId} />;
  return (
    <>
      <CurrentBuilds latest={summary.latest} />
      <BuildTasks id={projectId} organization_id={organizationId} name={name} summary={summary} />
      <NewestBuilds latest={summary.latest} />
      <OverviewPromotion />
      <Columns>
        <OverviewDownloads />
        <EarlierReleases />
      </Columns>
    </>
  );
}

type BuildTasksProps = Parameters<typeof useBuildTasks>[0][number];

/** The builds that devices do not install, or will soon stop launching. */
const BuildTasks = (project: BuildTasksProps) => <AttentionCard items={useBuildTasks([project])} />;

/** The numbers of objects, and the time of the latest change. */
function Facts({ summary }: SummaryProps) {
  const words = useWords().project;
  const format = useFormat();
  const { builds, testers } = summary.counts;
  return (
    <>
      {format.plural(builds, words.builds)} · {format.plural(testers, words.testers)} · {words.lastActivity}{' '}
      <Time value={summary.last_activity_at} />
    </>
  );
}
