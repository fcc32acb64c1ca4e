import { ApiError } from '@agate/client';
import { type ErrorComponentProps } from '@tanstack/react-router';
import { Button, Heading } from '../ui';
import { useWords } from '../words/words-provider';

/** Shown when a screen cannot be shown: an error of the service, a file of an older version, or a fault of the dashboard. */
export function Failed({ error, reset }: ErrorComponentProps) {
  const { frame, errors, ui } = useWords();
  const message = error instanceof Error ? error.message : String(error);
  const isMissingFile = /dynamically imported module|preload/i.test(message);
  const { requestId = null, help = null } = error instanceof ApiError ? error : {};
  return (
    <>
      <Heading>{frame.failed.heading}</Heading>
      <p role="alert">{isMissingFile ? frame.failed.newVersion : message}</p>
      {requestId !== null && <p>{errors.requestId(requestId)}</p>}
      {help !== null && (
        <p>
          <a href={help} target="_blank" rel="noreferrer">
            {ui.explained}
          </a>
        </p>
      )}
      <Button onClick={error instanceof ApiError ? reset : () => location.reload()}>
        {error instanceof ApiError ? errors.tryAgain : frame.failed.reload}
      </Button>
    </>
  );
}
