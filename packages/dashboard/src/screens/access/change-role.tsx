import { nameOf } from '../../parts/members/member-name';
import { FormDialog } from '../../ui';
import { useWords } from '../../words/words-provider';
import { type AccessRow } from './access-rows';
import { RoleField, roleOf } from './role-field';
import { usePutMember } from './use-put-member';

/** Gives a member of the project another role. */
export function ChangeRole({ row, onClose }: { row: AccessRow; onClose: () => void }) {
  const words = useWords().access;
  const change = usePutMember(onClose);
  return (
    <FormDialog
      title={words.changeTitle(nameOf(row))}
      onClose={onClose}
      submitLabel={words.save}
      busy={change.isPending}
      errors={change.error}
      onSubmit={(values) => change.mutate({ developerId: row.developer_id, role: roleOf(values) })}
    >
      <RoleField role={row.role ?? 'VIEW_PROJECT'} />
    </FormDialog>
  );
}
