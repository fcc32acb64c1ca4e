import { type ErrorComponentProps } from '@tanstack/react-router';
import { ApiError } from '@agate/client';
import { Button, Heading } from '../ui';
import { useWords } from '../words/words-provider';
import { LoadError } from './load-error';

/** Shown when a screen cannot be shown: an error of the service, a file of an older version, or a fault of the dashboard. */
export function Failed({ error, reset }: ErrorComponentProps) {
  const words = useWords().frame.failed;
  if (error instanceof ApiError) return <LoadError error={error} onRetry={reset} />;
  const message = error instanceof Error ? error.message : String(error);
  const isMissingFile = /dynamically imported module|preload/i.test(message);
  return (
    <>
      <Heading>{words.heading}</Heading>
      <p role="alert">{isMissingFile ? words.newVersion : message}</p>
      <Button onClick={() => location.reload()}>{words.reload}</Button>
    </>
  );
}
