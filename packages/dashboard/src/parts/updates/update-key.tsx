import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { keyOf } from '../../queries/keys';
import { revokeUpdateKey, rotateUpdateKey, type UpdateKey as UpdateKeyData } from '../../queries/project/update-keys';
import { useMay } from '../../session/use-may';
import { useProjectPlace } from '../../session/use-project-place';
import { AlertDialog, Button, CopyField, Menu, Time, useToast } from '../../ui';
import { useWords } from '../../words/words-provider';
import styles from './updates.module.css';

type Act = 'rotate' | 'revoke';

export interface UpdateKeyProps {
  readonly updateKey: UpdateKeyData;
  /** Whether the code for an app is shown. */
  readonly onCode: () => void;
}

/** An update key of a list: its address, its last use by an app, and the buttons to rotate and revoke it. */
export function UpdateKey({ updateKey, onCode }: UpdateKeyProps) {
  const { updates: words, builds } = useWords();
  const { organizationId, projectId } = useProjectPlace();
  const may = useMay({ organizationId, projectId });
  const [act, setAct] = useState<Act>();
  const { url, last_used_at } = updateKey;
  const platform = builds.platforms[updateKey.platform] ?? updateKey.platform;
  return (
    <li>
      <div className={styles.head}>
        <strong>{platform}</strong>
        <span className={styles.used}>
          {last_used_at === null ? (
            words.notUsed
          ) : (
            <>
              {words.lastUsed} <Time value={last_used_at} />
            </>
          )}
        </span>
        <Menu
          label={words.actions(platform)}
          items={[
            {
              label: words.rotate.label,
              icon: 'refresh',
              disabledReason: may('POST /update-keys/{update_key_id}/rotate'),
              onSelect: () => setAct('rotate'),
            },
            {
              label: words.revoke.label,
              icon: 'trash',
              danger: true,
              disabledReason: may('DELETE /update-keys/{update_key_id}'),
              onSelect: () => setAct('revoke'),
            },
          ]}
        />
      </div>
      {url !== null && (
        <CopyField label={words.address(platform)} hideLabel value={url} copyLabel={words.copyAddress(platform)} />
      )}
      <div>
        <Button variant="quiet" icon="code" disabledReason={url === null ? words.hidden : undefined} onClick={onCode}>
          {words.code.open(platform)}
        </Button>
      </div>
      {act && <Question updateKey={updateKey} platform={platform} act={act} onClose={() => setAct(undefined)} />}
    </li>
  );
}

interface QuestionProps {
  readonly updateKey: UpdateKeyData;
  /** The name of the key. */
  readonly platform: string;
  readonly act: Act;
  readonly onClose: () => void;
}

/** Asks for confirmation before apps that contain the key stop finding updates. */
function Question({ updateKey: { id }, platform, act, onClose }: QuestionProps) {
  const words = useWords().updates[act];
  const { scope } = useProjectPlace();
  const queryClient = useQueryClient();
  const toast = useToast();
  const change = useMutation({
    mutationFn: async () => void (await (act === 'rotate' ? rotateUpdateKey : revokeUpdateKey)(scope, id)),
    onSuccess: async () => {
      toast(words.done(platform), { tone: 'success' });
      onClose();
      await queryClient.invalidateQueries({ queryKey: keyOf('update-keys', scope.project_id) });
    },
  });
  return (
    <AlertDialog
      title={words.title(platform)}
      confirmLabel={words.label}
      busy={change.isPending}
      error={change.error}
      onConfirm={() => change.mutate()}
      onCancel={onClose}
    >
      <p>{words.text}</p>
    </AlertDialog>
  );
}
