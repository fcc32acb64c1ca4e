import { useMutation, useQueryClient } from '@tanstack/react-query';
import { nameOf } from '../../parts/members/member-name';
import { removeProjectMember } from '../../queries/project/project-members';
import { useProjectPlace } from '../../session/use-project-place';
import { AlertDialog, useToast } from '../../ui';
import { useWords } from '../../words/words-provider';
import { type AccessRow } from './access-rows';
import { ACCESS_QUERIES } from './use-put-member';

/** Removes a member's role in the project, after a confirmation. */
export function RemoveFromProject({ row, onClose }: { row: AccessRow; onClose: () => void }) {
  const { access: words, roles } = useWords();
  const { scope } = useProjectPlace();
  const queryClient = useQueryClient();
  const toast = useToast();
  const removal = useMutation({
    mutationFn: () => removeProjectMember(scope, row.developer_id),
    onSuccess: async () => {
      toast(words.removed(nameOf(row)), { tone: 'success' });
      onClose();
      await Promise.all(ACCESS_QUERIES.map((key) => queryClient.invalidateQueries({ queryKey: [key] })));
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
