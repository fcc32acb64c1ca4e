import { useQuery } from '@tanstack/react-query';
import { LoadError } from '../../../parts/lists/load-error';
import { dailyDownloadsQuery } from '../../../queries/project/downloads';
import { useProjectPlace } from '../../../session/use-project-place';
import { Bars, Card, Skeleton } from '../../../ui';
import { useFormat } from '../../../words/use-format';
import { useWords } from '../../../words/words-provider';

/** The number of days of the chart. The days before it are compared with it. */
const DAYS = 14;

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

/** The downloads of the last 14 days, by day, compared with the 14 days before. */
export function OverviewDownloads() {
  const words = useWords().project;
  const format = useFormat();
  const { scope } = useProjectPlace();
  const { data: daily, error, refetch } = useQuery(dailyDownloadsQuery(scope));
  const days = daily?.days.slice(-DAYS) ?? [];
  const values = days.map(({ downloads }) => downloads);
  const total = sumOf(values);
  const before = sumOf(daily?.days.slice(-2 * DAYS, -DAYS).map(({ downloads }) => downloads) ?? []);
  return (
    <Card title={words.downloads}>
      {!daily && !error && <Skeleton count={4} />}
      {!daily && error && <LoadError error={error} onRetry={() => void refetch()} />}
      {daily && total === 0 && <p className="soft">{words.noDownloads}</p>}
      {total > 0 && (
        <Bars
          title={words.downloadsByDay}
          hideTitle
          days={days.map(({ day }) => format.date(day, 'day'))}
          series={[
            {
              id: 'downloads',
              label: format.plural(total, words.lately),
              values,
              format: format.number,
              total: comparisonOf(total - before),
            },
          ]}
        />
      )}
    </Card>
  );

  function comparisonOf(change: number): string {
    if (change === 0) return words.sameBefore;
    return format.plural(Math.abs(change), change > 0 ? words.moreThanBefore : words.fewerThanBefore);
  }
}
