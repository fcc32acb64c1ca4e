import { ApiError } from '@agate/client';
import { ErrorCard } from '../../ui';
import { useWords } from '../../words/words-provider';

/** Shows why loading failed, with the request id, and a button to retry. Retries automatically when the response says when. */
export function LoadError({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const words = useWords().errors;
  const { requestId = null, retryAfterSeconds = null, help = null } = error instanceof ApiError ? error : {};
  const isNetwork = error instanceof ApiError && error.status === 0;
  return (
    <ErrorCard
      message={isNetwork ? words.network : error.message}
      requestId={requestId}
      help={help}
      retryAfter={retryAfterSeconds}
      onRetry={onRetry}
    />
  );
}
