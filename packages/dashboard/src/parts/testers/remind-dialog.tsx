import { useMutation } from '@tanstack/react-query';
import { useChanged } from '../../queries/changes';
import { remind } from '../../queries/project/adoption';
import { useProjectPlace } from '../../session/use-project-place';
import { AlertDialog, useToast } from '../../ui';
import { useFormat } from '../../words/use-format';
import { useWords } from '../../words/words-provider';

export interface RemindDialogProps {
  /** A current release. */
  readonly releaseId: string;
  readonly channelName: string;
  /** With the number of the build: `2.1.0 (211)`. */
  readonly version: string;
  /** The number of testers who would be mailed. */
  readonly count: number;
  readonly onClose: () => void;
}

/** Mails the testers who lack the build of a release once more, after a confirmation. */
export function RemindDialog({ releaseId, channelName, version, count, onClose }: RemindDialogProps) {
  const words = useWords().channels.adoption;
  const format = useFormat();
  const { scope } = useProjectPlace();
  const changed = useChanged();
  const toast = useToast();
  const reminder = useMutation({
    mutationFn: () => remind(scope, releaseId),
    onSuccess: async ({ queued }) => {
      toast(format.plural(queued, words.remindersSent), { tone: 'success' });
      onClose();
      await changed({ type: 'release.reminded', release_id: releaseId });
    },
  });
  const label = format.plural(count, words.remind);
  return (
    <AlertDialog
      title={`${label}?`}
      confirmLabel={label}
      variant="primary"
      busy={reminder.isPending}
      error={reminder.error}
      onConfirm={() => reminder.mutate()}
      onCancel={onClose}
    >
      <p>{words.remindText(version, channelName)}</p>
    </AlertDialog>
  );
}
