import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { drafts, fieldDrafts } from '../../parts/drafts';
import { ownStorageQuery, saveOwnStorage, type StorageCheck } from '../../queries/organization/own-storage';
import { Button, Form, Inline, Stack, useToast } from '../../ui';
import { useWords } from '../../words/words-provider';
import { Checks, checksOf } from './checks';
import { type Draft, settingsOf, type StorageKind, withoutSecrets } from './settings';
import { AzureFields, S3Fields } from './settings-fields';
import styles from './storage.module.css';
import { useStoragePlace } from './use-storage-place';

interface SettingsFormProps {
  readonly kind: StorageKind;
  readonly initial?: Draft;
  readonly isPlaceFixed?: boolean;
  /** Shown above the fields. */
  readonly children?: ReactNode;
  readonly onSaved: (checks: readonly StorageCheck[]) => void;
  readonly onCancel?: () => void;
}

const NAMES = Object.keys({
  resolve: 0,
  public_address: 0,
  reach: 0,
  clock_skew: 0,
  authenticate: 0,
  container: 0,
  list: 0,
  write: 0,
  read_back: 0,
  range_read: 0,
  signed_url: 0,
  upload_in_parts: 0,
  delete: 0,
} satisfies Record<StorageCheck['name'], 0>) as StorageCheck['name'][];

/** Settings are saved only when every check passed. */
const ALL_PASSED: readonly StorageCheck[] = NAMES.map((name) => ({
  name,
  status: 'passed',
  message: '',
  reason: null,
  duration_ms: 0,
}));

/** The settings of a storage account, which are saved when all checks pass with them. */
export function SettingsForm(props: SettingsFormProps) {
  const { kind, initial = {}, isPlaceFixed = false, children, onSaved, onCancel } = props;
  const words = useWords();
  const { organizationId, may } = useStoragePlace();
  const draftKey = `storage:${organizationId}`;
  // Keeps the values of both kinds, so that changing the kind loses none.
  const [draft, setDraft] = useState<Draft>(() => ({
    ...initial,
    ...fieldDrafts.read(draftKey),
    ...(isPlaceFixed && initial),
  }));
  const saving = useSaving((checks) => {
    drafts.forget(draftKey);
    onSaved(checks);
  });
  const change = (changed: (before: Draft) => Draft): void => {
    const next = changed(draft);
    setDraft(next);
    fieldDrafts.keep(draftKey, withoutSecrets(next));
  };
  const cancel = (): void => {
    drafts.forget(draftKey);
    onCancel?.();
  };
  const failed = checksOf(saving.error);
  const fields = { draft, onDraft: change, isPlaceFixed };
  return (
    <Form
      className={styles.form}
      errors={failed ? { message: words.storage.notSaved } : saving.error}
      onSubmit={() => saving.mutate(settingsOf(kind, draft))}
    >
      <Stack>
        {children}
        {kind === 's3' ? <S3Fields {...fields} /> : <AzureFields {...fields} />}
        <Inline>
          <Button
            type="submit"
            variant="primary"
            busy={saving.isPending}
            disabledReason={may('PUT /organizations/{organization_id}/byosa')}
          >
            {words.storage.testAndSave}
          </Button>
          {onCancel && <Button onClick={cancel}>{words.ui.cancel}</Button>}
        </Inline>
        <p className={styles.note}>{words.storage.testing}</p>
        {failed && <Checks checks={failed} />}
      </Stack>
    </Form>
  );
}

function useSaving(onSaved: SettingsFormProps['onSaved']) {
  const words = useWords().storage;
  const { organizationId } = useStoragePlace();
  const queryClient = useQueryClient();
  const toast = useToast();
  return useMutation({
    mutationFn: (settings: Parameters<typeof saveOwnStorage>[1]) => saveOwnStorage(organizationId, settings),
    onSuccess: (storage) => {
      queryClient.setQueryData(ownStorageQuery(organizationId).queryKey, storage);
      toast(words.saved, { tone: 'success' });
      onSaved(ALL_PASSED);
    },
  });
}
