import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { itemsOf, ListCard } from '../../../parts/lists/list-screen';
import { endOtherSessions, endSession, type LoginSession, sessionsQuery } from '../../../queries/account/account';
import { AlertDialog, Badge, Button, type Column, Inline, Table, Time, useToast } from '../../../ui';
import { useFormat } from '../../../words/use-format';
import { useWords } from '../../../words/words-provider';
import styles from '../account.module.css';
import { deviceOf } from './device-of';

/** The sessions of the developer. */
export function SessionsCard() {
  const words = useWords().account.security.sessions;
  const list = useInfiniteQuery(sessionsQuery);
  const columns = useColumns();
  const sessions = itemsOf(list);
  return (
    <ListCard
      title={words.title}
      flush
      actions={<EndOthers isAlone={sessions.every(({ current }) => current)} />}
      list={list}
      count={sessions.length}
      rows={3}
      forms={words.count}
    >
      <Table brief label={words.title} columns={columns} rows={sessions} rowKey={({ id }) => id} />
    </ListCard>
  );
}

function useColumns(): readonly Column<LoginSession>[] {
  const words = useWords().account.security.sessions;
  const { columns } = words;
  const format = useFormat();
  const nameOf = useDeviceName();
  return [
    {
      id: 'device',
      label: columns.device,
      cell: (session) => (
        <Inline gap={8}>
          <span>{nameOf(session)}</span>
          {session.current && <Badge tone="accent">{words.current}</Badge>}
        </Inline>
      ),
    },
    { id: 'address', label: columns.address, cell: ({ address }) => address },
    { id: 'created', label: columns.created, cell: ({ created_at: time }) => <Time value={time} /> },
    {
      id: 'used',
      label: columns.used,
      // A login is a use.
      cell: ({ last_used_at: used, created_at: created }) => (
        <span>
          <Time value={used ?? created} />{' '}
          <span className={`soft small ${styles.date}`}>{format.dateTime(new Date(used ?? created))}</span>
        </span>
      ),
    },
    {
      id: 'end',
      label: columns.end,
      hideLabel: true,
      align: 'end',
      width: 'narrow',
      cell: (session) => !session.current && <EndSession session={session} name={nameOf(session)} />,
    },
  ];
}

/** Returns the function that names the device of a session: "Chrome on Linux". */
function useDeviceName(): (session: LoginSession) => string {
  const words = useWords().account.security.sessions;
  return ({ user_agent: userAgent }) => {
    const { program, system } = deviceOf(userAgent ?? '');
    if (program === '') return words.unknown;
    return system === undefined ? program : words.on(program, system);
  };
}

function EndSession({ session, name }: { session: LoginSession; name: string }) {
  const words = useWords().account.security.sessions;
  const queryClient = useQueryClient();
  const toast = useToast();
  const ending = useMutation({
    mutationFn: () => endSession(session.id),
    onSuccess: () => toast(words.ended, { tone: 'success' }),
    onError: ({ message }) => toast(message, { tone: 'problem' }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  });
  return (
    <Button variant="quiet" aria-label={words.endOf(name)} busy={ending.isPending} onClick={() => ending.mutate()}>
      {words.end}
    </Button>
  );
}

function EndOthers({ isAlone }: { isAlone: boolean }) {
  const words = useWords().account.security.sessions;
  const queryClient = useQueryClient();
  const toast = useToast();
  const [isAsking, setIsAsking] = useState(false);
  const ending = useMutation({
    mutationFn: endOtherSessions,
    onSuccess: () => {
      toast(words.othersEnded, { tone: 'success' });
      setIsAsking(false);
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  });
  return (
    <>
      <Button missing={isAlone ? words.noOthers : undefined} onClick={() => setIsAsking(true)}>
        {words.endOthers}
      </Button>
      <AlertDialog
        open={isAsking}
        title={words.endOthersTitle}
        confirmLabel={words.endOthers}
        busy={ending.isPending}
        error={ending.error}
        onConfirm={() => ending.mutate()}
        onCancel={() => setIsAsking(false)}
      >
        <p>{words.endOthersText}</p>
      </AlertDialog>
    </>
  );
}
