import { useQuery } from '@tanstack/react-query';
import { LoadError } from '../../../parts/lists/load-error';
import { dailyDownloadsQuery } from '../../../queries/project/downloads';
import { useProjectPlace } from '../../../session/use-project-place';
import { Bars, Card, Skeleton } from '../../../ui';
import { useFormat } from '../../../words/use-format';
import { useWords } from '../../../words/words-provider';

/** The downloads of the last 14 days. */
export function OverviewDownloads() {
  const words = useWords().project;
  const format = useFormat();
  const { scope } = useProjectPlace();
  const { data: daily, error, refetch } = useQuery(dailyDownloadsQuery(scope));
  return (
    <Card title={words.downloads}>
      {!daily && !error && <Skeleton count={4} />}
      {!daily && error && <LoadError error={error} onRetry={() => void refetch()} />}
      {daily?.downloads === 0 && <p className="soft">{words.noDownloads}</p>}
      {daily && daily.downloads > 0 && (
        <>
          <p>
            {format.plural(daily.downloads, words.total)} {format.plural(daily.testers, words.byTesters)}{' '}
            {words.lastDays}
          </p>
          <Bars
            title={words.downloadsByDay}
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
        </>
      )}
    </Card>
  );
}
