import { type UseInfiniteQueryResult } from '@tanstack/react-query';
import { Skeleton } from '../../ui';
import { LoadError } from './load-error';

export interface ListStateProps {
  readonly list: Pick<UseInfiniteQueryResult, 'isPending' | 'isLoadingError' | 'error' | 'refetch'>;
  /** The number of rows in the skeleton. */
  readonly rows: number;
}

/** The placeholder of a list without data: a skeleton, or the error. Empty when there is data. */
export function ListState({ list, rows }: ListStateProps) {
  if (list.isPending) return <Skeleton shape="rows" count={rows} />;
  if (list.isLoadingError && list.error) return <LoadError error={list.error} onRetry={() => void list.refetch()} />;
  return null;
}
