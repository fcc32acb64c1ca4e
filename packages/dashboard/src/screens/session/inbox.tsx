import { useMutation } from '@tanstack/react-query';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTitle } from '../../frame/use-title';
import { serviceQuery } from '../../queries/account/session';
import { Button, Heading } from '../../ui';
import { useWords } from '../../words/words-provider';
import styles from './entrance.module.css';

const PAUSE_SECONDS = 60;

/** Shows that a mail was sent, and offers to send it again after a minute. */
export function Inbox({ text, onAgain }: { text: string; onAgain: () => Promise<unknown> }) {
  const words = useWords().session.inbox;
  const { data: service } = useQuery(serviceQuery);
  const [left, setLeft] = useState(PAUSE_SECONDS);
  useTitle(words.heading);
  useEffect(() => {
    if (left === 0) return;
    const timer = setTimeout(() => setLeft(left - 1), 1000);
    return () => clearTimeout(timer);
  }, [left]);
  const again = useMutation({ mutationFn: onAgain, onSuccess: () => setLeft(PAUSE_SECONDS) });
  return (
    <>
      <Heading>{words.heading}</Heading>
      <p>{text}</p>
      {service?.mail === 'written' && <p>{words.written}</p>}
      <Button
        onClick={() => again.mutate()}
        busy={again.isPending}
        disabledReason={left > 0 ? words.wait(left) : undefined}
      >
        {words.again}
      </Button>
      <p role="status">{again.isSuccess ? words.sent : ''}</p>
      {again.error && <p role="alert">{again.error.message}</p>}
      <p className={styles.links}>
        <Link to="/login">{words.logIn}</Link>
      </p>
    </>
  );
}
