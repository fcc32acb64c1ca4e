import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type Build } from '../../../queries/builds';
import { dailyDownloadsQuery, funnelQuery } from '../../../queries/downloads';
import { useProjectPlace } from '../../../session/use-project-place';
import { Bars, Card, Stack } from '../../../ui';
import { useFormat } from '../../../words/use-format';
import { useWords } from '../../../words/words-provider';
import styles from './build.module.css';

/** How often the build was downloaded, by how many testers, on which days and devices. */
export function BuildDownloadsCard({ build }: { build: Build }) {
  const words = useWords().build;
  const format = useFormat();
  const { scope, params } = useProjectPlace();
  const { data: daily } = useQuery(dailyDownloadsQuery(scope, { build_id: build.id }));
  const { data: funnel } = useQuery(funnelQuery(scope, build.id));
  const { total, unique_testers } = build.downloads;
  return (
    <Card
      title={words.downloads}
      actions={
        <Link to="/o/$org/p/$project/builds/$build/downloads" params={{ ...params, build: build.id }}>
          {words.log}
        </Link>
      }
    >
      {total === 0 ? (
        <p className={styles.soft}>{words.noDownloads}</p>
      ) : (
        <Stack gap={12}>
          <p>
            {format.plural(total, words.total)} {format.plural(unique_testers, words.testers)}
          </p>
          {daily && (
            <Bars
              title={words.byDay}
              hideTitle
              days={daily.days.map(({ day }) => format.date(day, 'day'))}
              series={[
                {
                  id: 'downloads',
                  label: words.downloads,
                  tone: 'download',
                  values: daily.days.map(({ downloads }) => downloads),
                  format: format.number,
                },
              ]}
            />
          )}
        </Stack>
      )}
      {funnel && funnel.mailed > 0 && (
        <p className={styles.soft}>
          {words.funnel(...([funnel.mailed, funnel.opened, funnel.downloaded].map((n) => format.number(n)) as Three))}
        </p>
      )}
    </Card>
  );
}

type Three = [string, string, string];
