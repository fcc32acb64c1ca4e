import { includesProjectRole, type ProjectRole } from '@agate/client';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { MemberName, nameOf } from '../../parts/members/member-name';
import { useDeveloper } from '../../queries/account/session';
import { useChanged } from '../../queries/changes';
import { removeProjectMember } from '../../queries/project/project-members';
import { useMay } from '../../session/use-may';
import { useProjectPlace } from '../../session/use-project-place';
import { AlertDialog, Badge, type Column, FormDialog, RowMenu, Table, useToast } from '../../ui';
import { useWords } from '../../words/words-provider';
import styles from './access.module.css';
import { type AccessRow } from './access-rows';
import { RoleField, roleOf } from './role-field';
import { usePutMember } from './use-put-member';

/** Members with both of their possible roles in a project. The higher one applies. */
export function AccessTable({ rows }: { rows: readonly AccessRow[] }) {
  const words = useWords().access;
  const { columns } = words;
  const developer = useDeveloper();
  const table: readonly Column<AccessRow>[] = [
    {
      id: 'member',
      label: columns.member,
      cell: (row) => <MemberName member={row} youLabel={row.developer_id === developer.id ? words.you : undefined} />,
    },
    {
      id: 'own',
      label: columns.own,
      cell: ({ role, inherited_role }) => <Role role={role} other={inherited_role} none={words.asInOrganization} />,
    },
    {
      id: 'inherited',
      label: columns.inherited,
      cell: ({ role, inherited_role }) => <Role role={inherited_role} other={role} none={words.none} />,
    },
    {
      id: 'actions',
      label: columns.actions,
      hideLabel: true,
      width: 'narrow',
      cell: (row) => row.role !== null && <Acts row={row} />,
    },
  ];
  return <Table brief label={words.heading} columns={table} rows={rows} rowKey={({ developer_id }) => developer_id} />;
}

interface RoleProps {
  readonly role: ProjectRole | null;
  readonly other: ProjectRole | null;
  /** Shown when there is no such role. */
  readonly none: string;
}

/** One of the two roles of a member. It applies unless the other one is higher. */
function Role({ role, other, none }: RoleProps) {
  const { access: words, roles } = useWords();
  if (role === null) return <span className="soft">{none}</span>;
  const applies = other === null || includesProjectRole(role, other);
  return (
    <span className={styles.role}>
      <span className={applies ? undefined : 'soft'}>{roles[role]}</span>
      {applies && other !== null && other !== role && <Badge tone="accent">{words.applies}</Badge>}
    </span>
  );
}

function Acts({ row }: { row: AccessRow }) {
  const words = useWords().access;
  const { organizationId, projectId } = useProjectPlace();
  const may = useMay({ organizationId, projectId });
  const [asked, setAsked] = useState<'role' | 'removal'>();
  const close = (): void => setAsked(undefined);
  return (
    <>
      <RowMenu
        label={words.actions(nameOf(row))}
        items={[
          {
            label: words.change,
            icon: 'edit',
            disabledReason: may('PUT /projects/{project_id}/members/{developer_id}'),
            onSelect: () => setAsked('role'),
          },
          {
            label: words.removeConfirm,
            icon: 'trash',
            danger: true,
            disabledReason: may('DELETE /projects/{project_id}/members/{developer_id}'),
            onSelect: () => setAsked('removal'),
          },
        ]}
      />
      {asked === 'role' && <ChangeRole row={row} onClose={close} />}
      {asked === 'removal' && <RemoveFromProject row={row} onClose={close} />}
    </>
  );
}

/** Gives a member of the project another role. */
function ChangeRole({ row, onClose }: { row: AccessRow; onClose: () => void }) {
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

/** Removes a member's role in the project, after a confirmation. */
function RemoveFromProject({ row, onClose }: { row: AccessRow; onClose: () => void }) {
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
