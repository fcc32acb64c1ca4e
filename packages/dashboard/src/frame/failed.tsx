import { ApiError } from '@agate/client';
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { isServed } from '../session/missing-chunk';
import { Button, Heading } from '../ui';
import { useWords } from '../words/words-provider';

const isMissingFile = (message: string): boolean => /dynamically imported module|preload/i.test(message);

/** Shown when a screen cannot be shown: an error of the service, a file that did not arrive, or a fault of the dashboard. */
export function Failed({ error, reset }: ErrorComponentProps) {
  const { frame, errors, ui } = useWords();
  const message = error instanceof Error ? error.message : String(error);
  if (isMissingFile(message)) return <MissingFile reset={reset} />;
  const { requestId = null, help = null } = error instanceof ApiError ? error : {};
  return (
    <Message heading={frame.failed.heading} text={message}>
      {requestId !== null && <p className="soft">{errors.requestId(requestId)}</p>}
      {help !== null && (
        <p>
          <a href={help} target="_blank" rel="noreferrer">
            {ui.explained}
          </a>
        </p>
      )}
      <Button icon="refresh" onClick={error instanceof ApiError ? reset : () => location.reload()}>
        {error instanceof ApiError ? errors.tryAgain : frame.failed.reload}
      </Button>
    </Message>
  );
}

/** A file of another version of the dashboard, or of a service that does not answer. In that case the screen waits for it. */
function MissingFile({ reset }: Pick<ErrorComponentProps, 'reset'>) {
  const { failed, loading } = useWords().frame;
  const router = useRouter();
  const isUnavailable = useIsUnavailable(async () => {
    // The router itself never requests the file of a screen again. If that fails too, the page is loaded again.
    const screens = router.state.matches.map(({ routeId }) => router.routesById[routeId].options.component);
    await Promise.all(screens.map(async (screen) => screen?.preload?.()));
    await router.invalidate();
    reset();
  });
  if (isUnavailable === undefined) return <p role="status">{loading}</p>;
  if (isUnavailable) return <Message heading={failed.waiting} text={failed.waitingText} />;
  return (
    <Message heading={failed.heading} text={failed.newVersion}>
      <Button icon="refresh" onClick={() => location.reload()}>
        {failed.reload}
      </Button>
    </Message>
  );
}

interface MessageProps {
  readonly heading: string;
  readonly text: string;
  readonly children?: ReactNode;
}

function Message({ heading, text, children }: MessageProps) {
  return (
    <div className="failed">
      <Heading>{heading}</Heading>
      <p role="alert">{text}</p>
      {children}
    </div>
  );
}

const AGAIN_MS = 3_000;

/** Whether the service sends no page. Undefined until it is known. Calls back when the service answers again. */
function useIsUnavailable(onBack: () => Promise<void>): boolean | undefined {
  const [isUnavailable, setIsUnavailable] = useState<boolean>();
  useEffect(() => {
    let wasUnavailable = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isGone = false;
    const look = async (): Promise<void> => {
      const served = await isServed();
      if (isGone) return;
      if (served && wasUnavailable) return void onBack();
      wasUnavailable ||= !served;
      setIsUnavailable(wasUnavailable);
      if (wasUnavailable) timer = setTimeout(() => void look(), AGAIN_MS);
    };
    void look();
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
    // Looks from when the screen failed until it is replaced.
  }, []);
  return isUnavailable;
}
