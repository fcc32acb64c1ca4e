import { type QuotaUseResponse } from '@agate/client';
import { type UseQueryResult } from '@tanstack/react-query';
import { Card, Meter, Skeleton } from '../ui';
import { useFormat } from '../words/use-format';
import { useWords } from '../words/words-provider';
import { LoadError } from './lists/load-error';

/** The share of a limit from which the reader is warned. */
const HIGH = 0.9;

/** The limits of a project or an organization, and how much of each is used. */
export function QuotasCard({ query }: { query: UseQueryResult<readonly QuotaUseResponse[]> }) {
  const words = useWords().settings.quotas;
  const format = useFormat();
  const { data: quotas, error, refetch } = query;
  return (
    <Card title={words.heading}>
      {!quotas && !error && <Skeleton count={3} />}
      {!quotas && error && <LoadError error={error} onRetry={() => void refetch()} />}
      {quotas?.map(({ quota, limit, used }) => {
        const amount = quota.endsWith('_bytes') ? format.bytes : format.number;
        return (
          <Meter
            key={quota}
            label={words.names[quota] ?? quota}
            value={used}
            max={limit}
            high={HIGH}
            text={words.used(amount(used), amount(limit))}
          />
        );
      })}
      {quotas && <p className="soft small">{words.text}</p>}
    </Card>
  );
}
