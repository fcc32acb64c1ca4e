import { type ResponseOf } from '@agate/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type Build } from '../../../queries/project/builds';
import { dailyDownloadsQuery, funnelQuery } from '../../../queries/project/downloads';
import { useMay } from '../../../session/use-may';
import { useProjectPlace } from '../../../session/use-project-place';
import { Bars, Button, Card, Icon, Stack } from '../../../ui';
import { useFormat } from '../../../words/use-format';
import { useWords } from '../../../words/words-provider';
import styles from './build.module.css';

/** The downloads of the build, the number of testers, and the counts by day and device. */
export function BuildDownloadsCard({ build }: { build: Build }) {
  const words = useWords().build;
  const { scope, params, organizationId, projectId } = useProjectPlace();
  const reason = useMay({ organizationId, projectId })('GET /builds/{build_id}/downloads');
  const { total } = build.downloads;
  const mayHaveMails = build.channels.length > 0 || total > 0;
  const { data: funnel } = useQuery({ ...funnelQuery(scope, build.id), enabled: mayHaveMails });
  return (
    <Card
      title={words.downloads}
      actions={
        reason === undefined ? (
          <Link
            to="/o/$org/p/$project/builds/$build/downloads"
            params={{ ...params, build: build.id }}
            className={styles.cardLink}
          >
            {words.log}
          </Link>
        ) : (
          <Button variant="quiet" disabledReason={reason}>
            {words.log}
          </Button>
        )
      }
    >
      <Stack gap={12}>
        {total === 0 ? <p className={styles.soft}>{words.noDownloads}</p> : <DownloadsByDay build={build} />}
        {funnel && funnel.mailed + funnel.running > 0 && <Funnel {...funnel} />}
      </Stack>
    </Card>
  );
}

function DownloadsByDay({ build }: { build: Build }) {
  const words = useWords().build;
  const format = useFormat();
  const { scope } = useProjectPlace();
  const { data: daily } = useQuery(dailyDownloadsQuery(scope, { build_id: build.id }));
  const { total, unique_testers } = build.downloads;
  const counts = [
    format.plural(total, words.total),
    ...(unique_testers > 0 ? [format.plural(unique_testers, words.testers)] : []),
  ].join(' ');
  if (!daily) return <p>{counts}</p>;
  return (
    <>
      <Bars
        title={words.byDay}
        days={daily.days.map(({ day }) => format.date(day, 'day'))}
        series={[
          {
            id: 'downloads',
            label: counts,
            tone: 'download',
            values: daily.days.map(({ downloads }) => downloads),
            format: format.number,
            total:
              daily.downloads < total && words.lately(format.number(daily.downloads), format.number(daily.days.length)),
          },
        ]}
      />
      <Devices days={daily.days} />
    </>
  );
}

/** The downloads of the shown days by kind of device, most first. */
function Devices({ days }: Pick<ResponseOf<'GET /projects/{project_id}/downloads/daily'>, 'days'>) {
  const words = useWords().build;
  const format = useFormat();
  const counts = new Map<string, number>();
  for (const { device_family, downloads } of days.flatMap(({ by_device }) => by_device)) {
    counts.set(device_family, (counts.get(device_family) ?? 0) + downloads);
  }
  if (counts.size === 0) return null;
  return (
    <ul className={styles.counts} aria-label={words.byDevice}>
      {[...counts]
        .sort(([, a], [, b]) => b - a)
        .map(([family, count]) => (
          <li key={family}>
            {words.families[family] ?? family} <strong>{format.number(count)}</strong>
          </li>
        ))}
    </ul>
  );
}

type Step = readonly [label: string, count: number];

/** The steps from mail to download, and the installations that reported to run the build. Some may be of people who were not mailed. */
function Funnel({ mailed, opened, downloaded, running }: ResponseOf<'GET /builds/{build_id}/funnel'>) {
  const { funnel } = useWords().build;
  const format = useFormat();
  const ofMails: readonly Step[] = [
    [funnel.mailed, mailed],
    [funnel.opened, opened],
    [funnel.downloaded, downloaded],
  ];
  const ofApps: readonly Step[] = [[funnel.running, running]];
  const steps = [...(mailed > 0 ? ofMails : []), ...(running > 0 ? ofApps : [])];
  return (
    <ol className={styles.funnel} aria-label={funnel.label}>
      {steps.map(([label, count], index) => (
        <li key={label}>
          {index > 0 && <Icon name="arrow-right" />}
          {label} <strong>{format.number(count)}</strong>
        </li>
      ))}
    </ol>
  );
}
