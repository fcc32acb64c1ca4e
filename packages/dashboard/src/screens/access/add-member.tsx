import { effectiveProjectRole } from '@agate/client';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { nameOf } from '../../parts/members/member-name';
import { memberChoicesQuery } from '../../queries/organization/members';
import { projectMembersQuery } from '../../queries/project/project-members';
import { useProjectPlace } from '../../session/use-project-place';
import { Button, Dialog, Form, Select, Skeleton } from '../../ui';
import { useWords } from '../../words/words-provider';
import { RoleField, roleOf } from './role-field';
import { usePutMember } from './use-put-member';

const FORM = 'add-member';

/** Gives a member of the organization a role in the project. Members whose organization roles already permit everything are not offered. */
export function AddMember({ onClose }: { onClose: () => void }) {
  const { access: words, ui } = useWords();
  const { scope, organizationId } = useProjectPlace();
  const { data: members } = useQuery(memberChoicesQuery(organizationId));
  const { data: own } = useInfiniteQuery(projectMembersQuery(scope));
  const addition = usePutMember(onClose);
  const known = new Set(own?.pages.flatMap(({ items }) => items.map(({ developer_id }) => developer_id)));
  const choices = members?.filter(
    ({ developer_id, roles }) =>
      !known.has(developer_id) && effectiveProjectRole({ organization: roles }) !== 'MANAGE_PROJECT',
  );
  const hasChoice = choices !== undefined && choices.length > 0;
  return (
    <Dialog
      title={words.add}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{ui.cancel}</Button>
          {hasChoice && (
            <Button type="submit" form={FORM} variant="primary" busy={addition.isPending}>
              {words.add}
            </Button>
          )}
        </>
      }
    >
      {!choices && <Skeleton count={3} />}
      {choices?.length === 0 && (
        <p>
          {words.everybody}{' '}
          <Link to="/o/$org/members" params={{ org: organizationId }}>
            {words.toMembers}
          </Link>
        </p>
      )}
      {hasChoice && (
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
