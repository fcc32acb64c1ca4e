import { useMutation } from '@tanstack/react-query';
import { useChanged } from '../../queries/changes';
import { nameOf } from '../../parts/members/member-name';
import { removeProjectMember } from '../../queries/project/project-members';
import { useProjectPlace } from '../../session/use-project-place';
import { AlertDialog, useToast } from '../../ui';
import { useWords } from '../../words/words-provider';
import { type AccessRow } from './access-rows';

/** Removes a member's role in the project, after a confirmation. */
export function RemoveFromProject({ row, onClose }: { row: AccessRow; onClose: () => void }) {
  const { access: words, roles } = useWords();
  const { scope } = useProjectPlace();
  const changed = useChanged();
  const toast = useToast();
  const removal = useMutation({
    mutationFn: () => removeProjectMember(scope, row.developer_id),
    onSuccess: async () => {
      toast(words.removed(nameOf(row)), { tone: 'success' });
      onClose();
      await changed({ type: 'project_member.removed' });
    },
  });
  return (
    <AlertDialog
      title={words.removeTitle(nameOf(row))}
      confirmLabel={words.removeConfirm}
      busy={removal.isPending}
      error={removal.error}
      onConfirm={() => removal.mutate()}
      onCancel={onClose}
    >
      <p>{words.removeText}</p>
      {row.inherited_role && <p>{words.staysText(roles[row.inherited_role])}</p>}
    </AlertDialog>
  );
}
