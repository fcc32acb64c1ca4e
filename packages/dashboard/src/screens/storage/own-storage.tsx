import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { LoadError } from '../../parts/lists/load-error';
import {
  diagnoseOwnStorage,
  type OwnStorage,
  ownStorageQuery,
  stopOwnStorage,
  type StorageCheck,
} from '../../queries/organization/own-storage';
import { AlertDialog, Button, Card, CodeBlock, DescriptionList, type Fact, Stack, Time, useToast } from '../../ui';
import { useWords } from '../../words/words-provider';
import { Checks } from './checks';
import { draftOf } from './settings';
import { SettingsForm } from './settings-form';
import styles from './storage.module.css';
import { useStoragePlace } from './use-storage-place';

interface OwnStorageProps {
  readonly storage: OwnStorage;
  /** The results of the latest checks on this screen. */
  readonly checks: readonly StorageCheck[] | null;
  readonly onChecks: (checks: readonly StorageCheck[]) => void;
}

/** The configured storage: its location, its checks, and the ways to change or remove it. */
export function ConfiguredStorage(props: OwnStorageProps) {
  const { change } = useSearch({ from: '/member/o/$org/storage' });
  return (
    <>
      {change === undefined ? <Place storage={props.storage} /> : <ChangeCredentials {...props} />}
      <Diagnosis {...props} />
    </>
  );
}

function Place({ storage }: { readonly storage: OwnStorage }) {
  const words = useWords().storage;
  const { may } = useStoragePlace();
  const navigate = useNavigate({ from: '/o/$org/storage' });
  const command = commandOf(storage);
  return (
    <Card
      title={words.place}
      actions={
        <>
          <Button
            disabledReason={may('PUT /organizations/{organization_id}/byosa')}
            onClick={() => void navigate({ search: { change: 'credentials' } })}
          >
            {words.changeCredentials}
          </Button>
          <Stop storage={storage} />
        </>
      }
    >
      <Stack>
        <DescriptionList items={usePlaceFacts(storage)} />
        {command !== null && <CodeBlock label={words.operatorCommand} text={command} copyLabel={words.copyCommand} />}
      </Stack>
    </Card>
  );
}

/** The command that the operator of the service runs next; null when none is needed. */
function commandOf({ organization_id: id, state, receives_artifacts: receives }: OwnStorage): string | null {
  const target = state === 'configured' ? 'byosa' : state === 'draining' && receives ? 'hosted' : null;
  return target === null ? null : `npm run operator -- byosa flip ${id} --to ${target} --copy`;
}

function usePlaceFacts({ s3, azure, created_at: since, updated_at: changed }: OwnStorage): readonly Fact[] {
  const words = useWords().storage;
  const times = [
    { label: words.since, value: since && <Time value={since} /> },
    { label: words.changed, value: changed && <Time value={changed} /> },
  ];
  if (s3) {
    return [
      { label: words.kind, value: words.kinds.s3 },
      { label: words.endpoint, value: s3.endpoint, mono: true },
      { label: words.region, value: s3.region, mono: true },
      { label: words.bucket, value: s3.bucket, mono: true },
      ...times,
    ];
  }
  return [
    { label: words.kind, value: words.kinds.azure },
    { label: words.endpoint, value: azure?.endpoint, mono: true },
    { label: words.accountName, value: azure?.account_name, mono: true },
    { label: words.container, value: azure?.container, mono: true },
    ...times,
  ];
}

function ChangeCredentials({ storage, onChecks }: OwnStorageProps) {
  const words = useWords().storage;
  const navigate = useNavigate({ from: '/o/$org/storage' });
  const close = (): void => void navigate({ search: {} });
  const isPlaceFixed = storage.state !== 'configured';
  return (
    <Card title={words.changeCredentials}>
      <SettingsForm
        kind={storage.s3 ? 's3' : 'azure'}
        initial={draftOf(storage)}
        isPlaceFixed={isPlaceFixed}
        onCancel={close}
        onSaved={(checks) => {
          onChecks(checks);
          close();
        }}
      >
        <p>{words.changeText}</p>
        {isPlaceFixed && <p className={styles.note}>{words.placeFixed}</p>}
      </SettingsForm>
    </Card>
  );
}

function Diagnosis({ checks, onChecks }: OwnStorageProps) {
  const words = useWords().storage;
  const { organizationId, may } = useStoragePlace();
  const running = useMutation({
    mutationFn: () => diagnoseOwnStorage(organizationId),
    onSuccess: (diagnosis) => onChecks(diagnosis.checks),
  });
  return (
    <Card
      title={words.checks}
      actions={
        <Button
          icon="refresh"
          busy={running.isPending}
          disabledReason={may('POST /organizations/{organization_id}/byosa/diagnose')}
          onClick={() => running.mutate()}
        >
          {words.runAgain}
        </Button>
      }
    >
      <Stack gap={12}>
        {running.error && <LoadError error={running.error} onRetry={() => running.mutate()} />}
        {checks ? <Checks checks={checks} /> : <p className={styles.note}>{words.checksText}</p>}
      </Stack>
    </Card>
  );
}

function Stop({ storage }: { readonly storage: OwnStorage }) {
  const words = useWords().storage;
  const { organizationId, may } = useStoragePlace();
  const [isAsking, setIsAsking] = useState(false);
  const queryClient = useQueryClient();
  const toast = useToast();
  const isUnused = storage.state === 'configured';
  const stopping = useMutation({
    mutationFn: () => stopOwnStorage(organizationId),
    onSuccess: async () => {
      toast(isUnused ? words.stopped : words.draining, { tone: 'success' });
      setIsAsking(false);
      await queryClient.invalidateQueries({ queryKey: ownStorageQuery(organizationId).queryKey });
    },
  });
  const reason = may('DELETE /organizations/{organization_id}/byosa');
  return (
    <>
      <Button
        disabledReason={reason ?? (storage.state === 'draining' ? words.isDraining : undefined)}
        onClick={() => setIsAsking(true)}
      >
        {words.stop}
      </Button>
      <AlertDialog
        open={isAsking}
        title={words.stopTitle}
        confirmLabel={words.stop}
        busy={stopping.isPending}
        error={stopping.error}
        onConfirm={() => stopping.mutate()}
        onCancel={() => setIsAsking(false)}
      >
        <p>{isUnused ? words.stopConfigured : words.stopActive}</p>
      </AlertDialog>
    </>
  );
}
