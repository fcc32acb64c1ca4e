import { type OrganizationRole } from '@agate/client';
import { useMutation } from '@tanstack/react-query';
import { nameOf } from '../../parts/members/member-name';
import { useChanged } from '../../queries/changes';
import { changeRoles, type Member } from '../../queries/organization/members';
import { FormDialog, useToast } from '../../ui';
import { useWords } from '../../words/words-provider';
import { RolesField, rolesOf } from './roles-field';

export interface ChangeRolesProps {
  readonly organizationId: string;
  readonly member: Member;
  readonly isLastAdmin: boolean;
  readonly onClose: () => void;
}

/** Gives a member other roles. */
export function ChangeRoles({ organizationId, member, isLastAdmin, onClose }: ChangeRolesProps) {
  const words = useWords().members;
  const changed = useChanged();
  const toast = useToast();
  const change = useMutation({
    mutationFn: (roles: readonly OrganizationRole[]) => changeRoles(organizationId, member.developer_id, roles),
    onSuccess: async () => {
      toast(words.changed(nameOf(member)), { tone: 'success' });
      onClose();
      // The changed roles can be the developer's own, and the change can delete invitations.
      await changed({ type: 'member.roles_changed' });
    },
  });
  return (
    <FormDialog
      title={words.changeTitle(nameOf(member))}
      onClose={onClose}
      submitLabel={words.save}
      busy={change.isPending}
      errors={change.error}
      onSubmit={(values) => change.mutate(rolesOf(values))}
    >
      <RolesField roles={member.roles} isLastAdmin={isLastAdmin} />
    </FormDialog>
  );
}
