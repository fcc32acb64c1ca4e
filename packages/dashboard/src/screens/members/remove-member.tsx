import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { nameOf } from '../../parts/members/member-name';
import { sessionQuery, useOrganizations } from '../../queries/account/session';
import { useChanged } from '../../queries/changes';
import { type LeftToken, type Member, removeMember } from '../../queries/organization/members';
import { AlertDialog, useToast } from '../../ui';
import { useWords } from '../../words/words-provider';

export interface RemoveMemberProps {
  readonly organizationId: string;
  readonly member: Member;
  /** Whether the developer leaves the organization. */
  readonly isOwn: boolean;
  readonly onClose: () => void;
  /** Called when the removed member knows tokens that still work. */
  readonly onRemoved: (removed: { name: string; tokens: readonly LeftToken[] }) => void;
}

/** Asks for confirmation before a member is removed, or leaves. */
export function RemoveMember({ organizationId, member, isOwn, onClose, onRemoved }: RemoveMemberProps) {
  const words = useWords().members;
  const organization = useOrganizations().find(({ id }) => id === organizationId)?.name ?? '';
  const queryClient = useQueryClient();
  const changed = useChanged();
  const navigate = useNavigate();
  const toast = useToast();
  const name = nameOf(member);
  const removal = useMutation({
    mutationFn: () => removeMember(organizationId, member.developer_id),
    onSuccess: async (tokens) => {
      toast(isOwn ? words.left(organization) : words.removed(name), { tone: 'success' });
      onClose();
      if (isOwn) {
        await queryClient.invalidateQueries(sessionQuery);
        await navigate({ to: '/' });
        return;
      }
      if (tokens.length > 0) onRemoved({ name, tokens });
      await changed({ type: 'member.removed' });
    },
  });
  return (
    <AlertDialog
      title={isOwn ? words.leaveTitle(organization) : words.removeTitle(name)}
      confirmLabel={isOwn ? words.leave : words.remove}
      busy={removal.isPending}
      error={removal.error}
      onConfirm={() => removal.mutate()}
      onCancel={onClose}
    >
      <p>{isOwn ? words.leaveText : words.removeText}</p>
    </AlertDialog>
  );
}
