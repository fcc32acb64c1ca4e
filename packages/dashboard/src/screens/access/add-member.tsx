import { nameOf } from '../../parts/members/member-name';
import { useFirst } from '../../parts/use-first';
import { Button, Dialog, Form, Select, Skeleton } from '../../ui';
import { useWords } from '../../words/words-provider';
import { RoleField, roleOf } from './role-field';
import { useAddableMembers } from './use-addable-members';
import { usePutMember } from './use-put-member';

const FORM = 'add-member';

/** Gives a member of the organization a role in the project. */
export function AddMember({ onClose }: { onClose: () => void }) {
  const { access: words, ui } = useWords();
  const choices = useFirst({ data: useAddableMembers() });
  const addition = usePutMember(onClose);
  return (
    <Dialog
      title={words.add}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{ui.cancel}</Button>
          {choices && (
            <Button type="submit" form={FORM} variant="primary" busy={addition.isPending}>
              {words.add}
            </Button>
          )}
        </>
      }
    >
      {!choices && <Skeleton count={3} />}
      {choices && (
        <Form
          id={FORM}
          errors={addition.error}
          onSubmit={(values) => addition.mutate({ developerId: values.get('member') as string, role: roleOf(values) })}
        >
          <Select
            label={words.member}
            name="member"
            options={choices.map((member) => ({ value: member.developer_id, label: nameOf(member) }))}
          />
          <RoleField role="DOWNLOAD_BUILD" />
        </Form>
      )}
    </Dialog>
  );
}
