import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import {
  confirmDeviceLogin,
  denyDeviceLogin,
  type DeviceLogin,
  deviceLoginQuery,
} from '../../queries/account/device-login';
import { useOrganizations } from '../../queries/account/session';
import { lastOrganization } from '../../session/choices/last-organization';
import { useMay } from '../../session/use-may';
import {
  Banner,
  Button,
  buttonClass,
  Card,
  DescriptionList,
  ErrorCard,
  focusHeading,
  Inline,
  PageHeader,
  Select,
  Stack,
  Time,
} from '../../ui';
import { useWords } from '../../words/words-provider';
import styles from './device.module.css';
import { asShown } from './user-code';

/** The program's request, and the decision about it. */
export function Decision({ code, login }: { code: string; login: DeviceLogin }) {
  const words = useWords().device;
  const organizations = useOrganizations();
  const last = lastOrganization();
  const [chosen, setChosen] = useState(organizations.find(({ id }) => id === last)?.id ?? organizations[0]?.id);
  return (
    <>
      <PageHeader title={words.asks(login.host)} detail={words.asksDetail} />
      <Banner tone="warning" title={words.warning}>
        {words.warningText(asShown(code))}
      </Banner>
      <Card title={words.facts} hideTitle footer={<Acts code={code} organizationId={chosen} />}>
        <Stack gap={16}>
          <Facts login={login} />
          {chosen === undefined ? (
            <NoOrganization />
          ) : (
            <Select
              label={words.organization}
              hint={words.organizationHint}
              value={chosen}
              onChange={(event) => setChosen(event.target.value)}
              options={organizations.map(({ id, name }) => ({ value: id, label: name }))}
            />
          )}
        </Stack>
      </Card>
    </>
  );
}

function Facts({ login }: { login: DeviceLogin }) {
  const { device: words, tokens } = useWords();
  const scopes = (
    <ul className={styles.scopes}>
      {login.scopes.map((scope) => (
        <li key={scope}>{tokens.scopeNames[scope]}</li>
      ))}
    </ul>
  );
  return (
    <DescriptionList
      items={[
        { label: words.machine, value: login.host },
        { label: words.address, value: login.address, mono: true },
        { label: words.started, value: <Time value={login.started_at} /> },
        { label: words.scopes, value: scopes },
        { label: words.validity, value: words.ninetyDays },
      ]}
    />
  );
}

function NoOrganization() {
  const words = useWords().device.noOrganization;
  return (
    <div>
      <p className="strong">{words.heading}</p>
      <p className="soft">{words.text}</p>
      <Link to="/welcome" className={buttonClass()}>
        {words.create}
      </Link>
    </div>
  );
}

function Acts({ code, organizationId }: { code: string; organizationId: string | undefined }) {
  const words = useWords().device;
  const may = useMay({ organizationId: organizationId ?? '' });
  const queryClient = useQueryClient();
  const decision = useMutation({
    mutationFn: (isConfirmed: boolean) =>
      isConfirmed ? confirmDeviceLogin(code, organizationId ?? '') : denyDeviceLogin(code),
    onSuccess: (_done, isConfirmed) => {
      queryClient.setQueryData(
        deviceLoginQuery(code).queryKey,
        (login) =>
          login &&
          (isConfirmed
            ? { ...login, state: 'confirmed' as const, organization_id: organizationId ?? null }
            : { ...login, state: 'denied' as const }),
      );
      focusHeading();
    },
    // The code may have expired, or another tab has confirmed or rejected the login.
    onError: () => queryClient.invalidateQueries({ queryKey: deviceLoginQuery(code).queryKey }),
  });
  const reason = organizationId === undefined ? words.noOrganization.heading : may('POST /login/device/confirm');
  return (
    <Stack gap={12}>
      {decision.error && <ErrorCard message={decision.error.message} />}
      <Inline gap={8}>
        <Button
          variant="primary"
          disabledReason={reason}
          busy={decision.isPending && decision.variables}
          onClick={() => decision.mutate(true)}
        >
          {words.connect}
        </Button>
        <Button busy={decision.isPending && !decision.variables} onClick={() => decision.mutate(false)}>
          {words.cancel}
        </Button>
      </Inline>
    </Stack>
  );
}
