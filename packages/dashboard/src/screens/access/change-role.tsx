import { nameOf } from '../../parts/members/member-name';
import { Button, Dialog, Form } from '../../ui';
import { useWords } from '../../words/words-provider';
import { type AccessRow } from './access-rows';
import { RoleField, roleOf } from './role-field';
import { usePutMember } from './use-put-member';

const FORM = 'change-role';

/** Gives a member of the project another role. */
export function ChangeRole({ row, onClose }: { row: AccessRow; onClose: () => void }) {
  const { access: words, ui } = useWords();
  const change = usePutMember(onClose);
  return (
    <Dialog
      title={words.changeTitle(nameOf(row))}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{ui.cancel}</Button>
          <Button type="submit" form={FORM} variant="primary" busy={change.isPending}>
            {words.save}
          </Button>
        </>
      }
    >
      <Form
        id={FORM}
        errors={change.error}
        onSubmit={(values) => change.mutate({ developerId: row.developer_id, role: roleOf(values) })}
      >
        <RoleField role={row.role ?? 'VIEW_PROJECT'} />
      </Form>
    </Dialog>
  );
}
