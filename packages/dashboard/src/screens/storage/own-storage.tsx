import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { LoadError } from '../../frame/load-error';
import {
  diagnoseOwnStorage,
  type OwnStorage,
  ownStorageQuery,
  stopOwnStorage,
  type StorageCheck,
} from '../../queries/own-storage';
import { AlertDialog, Button, Card, CodeBlock, DescriptionList, Inline, Stack, Time, useToast } from '../../ui';
import { useWords } from '../../words/words-provider';
import { Checks } from './checks';
import { draftOf } from './settings';
import { SettingsForm } from './settings-form';
import styles from './storage.module.css';
import { useStoragePlace } from './use-storage-place';

interface OwnStorageProps {
  readonly storage: OwnStorage;
  /** The results of the checks that ran last on this screen. */
  readonly checks: readonly StorageCheck[] | null;
  readonly onChecks: (checks: readonly StorageCheck[]) => void;
}

/** The storage that is configured: where it is, whether it works, and how it is changed or stopped. */
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
  const { organizationId, may } = useStoragePlace();
  const navigate = useNavigate({ from: '/o/$org/storage' });
  const { s3, azure } = storage;
  const isAtWork = storage.state === 'configured' || storage.receives_artifacts;
  const target = storage.state === 'configured' ? 'byosa' : 'hosted';
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
        <DescriptionList
          items={[
            { label: words.kind, value: s3 ? words.kinds.s3 : words.kinds.azure },
            { label: words.endpoint, value: s3?.endpoint ?? azure?.endpoint, mono: true },
            { label: words.region, value: s3?.region, mono: true },
            { label: words.bucket, value: s3?.bucket, mono: true },
            { label: words.accountName, value: azure?.account_name, mono: true },
            { label: words.container, value: azure?.container, mono: true },
            { label: words.since, value: storage.created_at && <Time value={storage.created_at} /> },
            { label: words.changed, value: storage.updated_at && <Time value={storage.updated_at} /> },
          ]}
        />
        {storage.state !== 'active' && isAtWork && (
          <CodeBlock
            label={words.operatorCommand}
            text={`npm run operator -- byosa flip ${organizationId} --to ${target} --copy`}
            copyLabel={words.copyCommand}
          />
        )}
      </Stack>
    </Card>
  );
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
        variant="danger"
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
        onConfirm={() => stopping.mutate()}
        onCancel={() => setIsAsking(false)}
      >
        <p>{isUnused ? words.stopConfigured : words.stopActive}</p>
        {stopping.error && <p role="alert">{stopping.error.message}</p>}
      </AlertDialog>
    </>
  );
}
