import { type ResponseOf } from '@agate/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type Build } from '../../../queries/project/builds';
import { dailyDownloadsQuery, funnelQuery } from '../../../queries/project/downloads';
import { useMay } from '../../../session/use-may';
import { useProjectPlace } from '../../../session/use-project-place';
import { Bars, Button, Card, Fold, Skeleton, Stack } from '../../../ui';
import { useFormat } from '../../../words/use-format';
import { useWords } from '../../../words/words-provider';
import styles from './build.module.css';
import { BuildAdoption } from './build-adoption';

/** Who has the build: the number of downloads and testers, and on request the downloads by day and device. */
export function BuildDownloadsCard({ build }: { build: Build }) {
  const words = useWords().build;
  const format = useFormat();
  const { params, organizationId, projectId } = useProjectPlace();
  const reason = useMay({ organizationId, projectId })('GET /builds/{build_id}/downloads');
  const { total, unique_testers } = build.downloads;
  const counts = [
    format.plural(total, words.total),
    ...(unique_testers > 0 ? [format.plural(unique_testers, words.testers)] : []),
  ].join(' ');
  return (
    <Card
      title={words.downloads}
      actions={
        reason === undefined ? (
          <Link to="/o/$org/p/$project/builds/$build/downloads" params={{ ...params, build: build.id }}>
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
        <BuildAdoption build={build} />
        {total === 0 ? <p className={styles.soft}>{words.noDownloads}</p> : <p>{counts}</p>}
        {(total > 0 || build.channels.length > 0) && <Details build={build} />}
      </Stack>
    </Card>
  );
}

/** What is requested when the reader opens it: the downloads by day and device, and the installations that reported to run the build. */
function Details({ build }: { build: Build }) {
  const words = useWords().build;
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Fold title={words.byDay} onToggle={setIsOpen}>
      {isOpen && <DownloadsByDay build={build} />}
    </Fold>
  );
}

function DownloadsByDay({ build }: { build: Build }) {
  const words = useWords().build;
  const format = useFormat();
  const { scope } = useProjectPlace();
  const { data: daily } = useQuery(dailyDownloadsQuery(scope, { build_id: build.id }));
  const { data: funnel } = useQuery(funnelQuery(scope, build.id));
  if (!daily) return <Skeleton count={3} />;
  return (
    <Stack gap={12}>
      <Bars
        title={words.byDay}
        hideTitle
        days={daily.days.map(({ day }) => format.date(day, 'day'))}
        series={[
          {
            id: 'downloads',
            label: words.lately(format.plural(daily.downloads, words.total), format.number(daily.days.length)),
            values: daily.days.map(({ downloads }) => downloads),
            format: format.number,
          },
        ]}
      />
      <Devices days={daily.days} />
      {funnel && funnel.running > 0 && <p>{format.plural(funnel.running, words.running)}</p>}
    </Stack>
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
