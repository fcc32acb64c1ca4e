import { useState } from 'react';
import { usePurge, useRestore } from '../../parts/deletion/use-trash-acts';
import { type Build, versionOf } from '../../queries/project/builds';
import { useMay } from '../../session/use-may';
import { useProjectPlace } from '../../session/use-project-place';
import { AlertDialog, Button, RowMenu } from '../../ui';
import { useFormat } from '../../words/use-format';
import { useWords } from '../../words/words-provider';

interface ActProps {
  readonly builds: readonly Build[];
  readonly onDone: () => void;
}

export function RestoreButton({ builds, onDone }: ActProps) {
  const words = useWords().trash;
  const { organizationId, projectId } = useProjectPlace();
  const restore = useRestore(onDone);
  return (
    <Button
      busy={restore.isPending}
      disabledReason={useMay({ organizationId, projectId })('POST /builds/restore')}
      onClick={() => restore.mutate(builds)}
    >
      {words.restore}
    </Button>
  );
}

export function PurgeButton({ builds, onDone }: ActProps) {
  const words = useWords().trash;
  const { organizationId, projectId } = useProjectPlace();
  const [isAsking, setIsAsking] = useState(false);
  return (
    <>
      <Button
        variant="danger"
        disabledReason={useMay({ organizationId, projectId })('POST /builds/delete')}
        onClick={() => setIsAsking(true)}
      >
        {words.purge}
      </Button>
      {isAsking && <PurgeQuestion builds={builds} onCancel={() => setIsAsking(false)} onDone={onDone} />}
    </>
  );
}

interface PurgeQuestionProps extends ActProps {
  readonly onCancel: () => void;
}

function PurgeQuestion({ builds: selected, onCancel, onDone }: PurgeQuestionProps) {
  // Those that the question counts, although others may restore or delete some meanwhile.
  const [builds] = useState(selected);
  const words = useWords().trash;
  const format = useFormat();
  const purge = usePurge(() => {
    onCancel();
    onDone();
  });
  return (
    <AlertDialog
      title={format.plural(builds.length, words.purgeTitle)}
      confirmLabel={words.purge}
      busy={purge.isPending}
      error={purge.error}
      onConfirm={() => purge.mutate(builds)}
      onCancel={onCancel}
    >
      <p>{words.purgeText}</p>
    </AlertDialog>
  );
}

/** The actions on one build of the trash. */
export function TrashMenu({ build }: { readonly build: Build }) {
  const words = useWords().trash;
  const { organizationId, projectId } = useProjectPlace();
  const may = useMay({ organizationId, projectId });
  const restore = useRestore();
  const [isAsking, setIsAsking] = useState(false);
  return (
    <>
      <RowMenu
        label={words.actionsOf(versionOf(build))}
        items={[
          {
            label: words.restore,
            icon: 'undo',
            disabledReason: may('POST /builds/restore'),
            onSelect: () => restore.mutate([build]),
          },
          {
            label: words.purge,
            icon: 'trash',
            danger: true,
            disabledReason: may('POST /builds/delete'),
            onSelect: () => setIsAsking(true),
          },
        ]}
      />
      {isAsking && (
        <PurgeQuestion builds={[build]} onCancel={() => setIsAsking(false)} onDone={() => setIsAsking(false)} />
      )}
    </>
  );
}
