import { ApiError } from '@agate/client';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTitle } from '../../frame/use-title';
import { LoadError } from '../../parts/lists/load-error';
import { type DeviceLogin, deviceLoginQuery } from '../../queries/account/device-login';
import { Button, EmptyState, PageHeader, Skeleton, Stack } from '../../ui';
import { useWords } from '../../words/words-provider';
import { CodeForm } from './code-form';
import { Decision } from './decision';
import styles from './device.module.css';
import { isUserCode } from './user-code';

/** Lets a program on another machine, such as the command line, act for the developer who enters its code. */
export function Device() {
  const words = useWords().device;
  const { code } = useSearch({ from: '/member/device' });
  useTitle(words.heading);
  return (
    <Stack gap={24} className={styles.page}>
      {code === undefined || !isUserCode(code) ? <CodeForm entered={code} /> : <Login key={code} code={code} />}
    </Stack>
  );
}

function Login({ code }: { code: string }) {
  const words = useWords().device;
  const navigate = useNavigate({ from: '/device' });
  const { data: login, error, refetch } = useQuery(deviceLoginQuery(code));
  if (login?.state === 'pending') return <Decision code={code} login={login} />;
  if (login) return <Decided login={login} />;
  if (error instanceof ApiError && error.status === 404) return <CodeForm entered={code} problem={words.unknown} />;
  return (
    <>
      <PageHeader title={words.heading} />
      {error ? <LoadError error={error} onRetry={() => void refetch()} /> : <Skeleton shape="cards" count={1} />}
      {error && <Button onClick={() => void navigate({ search: {} })}>{words.otherCode}</Button>}
    </>
  );
}

function Decided({ login: { host, state, organization_id: organizationId } }: { login: DeviceLogin }) {
  const words = useWords().device;
  const navigate = useNavigate({ from: '/device' });
  const isConfirmed = state === 'confirmed';
  return (
    <EmptyState
      level={1}
      icon={isConfirmed ? 'success' : 'close'}
      title={isConfirmed ? words.confirmed(host) : words.denied}
      actions={
        isConfirmed && (
          <Button
            onClick={() => void navigate({ to: '/account/tokens', search: { org: organizationId ?? undefined } })}
          >
            {words.tokens}
          </Button>
        )
      }
    >
      {isConfirmed ? words.confirmedText : words.deniedText}
    </EmptyState>
  );
}
