import { ApiError } from '@agate/client';
import { type UseQueryResult } from '@tanstack/react-query';
import { type ReactNode } from 'react';
import { LoadError } from '../parts/lists/load-error';
import { NotFound } from './not-found';

/** The service rejects ids that nothing can have with 400, and does not tell what is missing from what is forbidden. */
const isMissing = (error: Error): boolean => error instanceof ApiError && [400, 403, 404].includes(error.status);

export interface FoundProps<Data> {
  readonly query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'refetch'>;
  /** Shown for a missing object instead of "Not found". */
  readonly missing?: ReactNode;
  /** Shown until the data is there. */
  readonly waiting: ReactNode;
  readonly children: (data: Data) => ReactNode;
}

/** A screen of one object: shown when the object is there, or why it is not. What was read before is not shown once it is gone. */
export function Found<Data>({ query: { data, error, refetch }, missing, waiting, children }: FoundProps<Data>) {
  const isGone = error !== null && isMissing(error);
  if (data !== undefined && !isGone) return children(data);
  if (!error) return waiting;
  if (!isGone) return <LoadError error={error} onRetry={() => void refetch()} />;
  return missing ?? <NotFound />;
}
