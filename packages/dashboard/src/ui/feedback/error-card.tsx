import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Button } from '../actions/button';
import { ExternalLink } from '../actions/external-link';
import { Icon } from '../icons';
import { useUiWords } from '../ui-words';
import s from './feedback.module.css';

export interface ErrorCardProps {
  readonly message: string;
  /** The remedy. */
  readonly advice?: ReactNode;
  readonly requestId?: string | null;
  /** The address of the page that explains the error. */
  readonly help?: string | null;
  readonly onRetry?: () => void;
  /** Seconds after which `onRetry` runs automatically; the card counts them down. */
  readonly retryAfter?: number | null;
  readonly actions?: ReactNode;
}

/** An alert with the failure, the remedy, and the id under which the operator finds the request. */
export function ErrorCard({ message, advice, requestId, help, onRetry, retryAfter, actions }: ErrorCardProps) {
  const words = useUiWords();
  const left = useCountdown(onRetry ? (retryAfter ?? null) : null, onRetry);
  return (
    <div className={s.errorCard}>
      <Icon name="problem" className={s.errorIcon} />
      <div className={s.errorText}>
        <div role="alert">
          <p className={s.errorMessage}>{message}</p>
          {advice && <div>{advice}</div>}
        </div>
        {requestId && (
          <p className={s.requestId}>
            {words.requestId} <code>{requestId}</code>
          </p>
        )}
        {help && (
          <p>
            <ExternalLink href={help}>{words.explained}</ExternalLink>
          </p>
        )}
        {left !== null && left > 0 && <p className={s.requestId}>{words.retryIn(left)}</p>}
        {(onRetry || actions) && (
          <div className={s.errorActions}>
            {onRetry && (
              <Button icon="refresh" onClick={onRetry}>
                {words.tryAgain}
              </Button>
            )}
            {actions}
          </div>
        )}
      </div>
    </div>
  );
}

function useCountdown(seconds: number | null, onEnd: (() => void) | undefined): number | null {
  const [left, setLeft] = useState(seconds);
  const end = useRef(onEnd);
  useEffect(() => {
    end.current = onEnd;
  });
  useEffect(() => {
    setLeft(seconds);
    if (seconds === null) return;
    let remaining = seconds;
    const timer = setInterval(() => {
      remaining -= 1;
      setLeft(remaining);
      if (remaining > 0) return;
      clearInterval(timer);
      end.current?.();
    }, 1000);
    return () => clearInterval(timer);
  }, [seconds]);
  return left;
}
