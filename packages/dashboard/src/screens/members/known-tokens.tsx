import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { ProjectName } from '../../parts/project-name';
import { keyOf } from '../../queries/keys';
import { type LeftToken } from '../../queries/organization/members';
import { revokeProjectToken } from '../../queries/project/project-tokens';
import { Badge, Button, type Column, Dialog, Table, Time } from '../../ui';
import { useFormat } from '../../words/use-format';
import { useWords } from '../../words/words-provider';

export interface KnownTokensProps {
  readonly organizationId: string;
  /** The name of the removed member. */
  readonly name: string;
  readonly tokens: readonly LeftToken[];
  readonly onClose: () => void;
}

/** The project access tokens that a removed member may still know. They belong to their projects and work until they are revoked. */
export function KnownTokens({ organizationId, name, tokens, onClose }: KnownTokensProps) {
  const { known: words } = useWords().members;
  const format = useFormat();
  const queryClient = useQueryClient();
  const [revoked, setRevoked] = useState<ReadonlySet<string>>(new Set());
  const open = tokens.filter(({ id }) => !revoked.has(id));
  const revocation = useMutation({
    mutationFn: async (wanted: readonly LeftToken[]) => {
      for (const { id, project_id } of wanted) {
        await revokeProjectToken({ organization_id: organizationId, project_id }, id);
        setRevoked((before) => new Set([...before, id]));
      }
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: keyOf('project-tokens') }),
  });
  const columns = useColumns(organizationId, (token) =>
    revoked.has(token.id) ? (
      <Badge tone="success">{words.revoked}</Badge>
    ) : (
      <Button variant="quiet" busy={revocation.isPending} onClick={() => revocation.mutate([token])}>
        {words.revoke}
      </Button>
    ),
  );
  return (
    <Dialog
      title={words.title(name)}
      size="large"
      onClose={onClose}
      footer={
        <>
          {open.length > 0 && (
            <Button variant="danger" busy={revocation.isPending} onClick={() => revocation.mutate(open)}>
              {format.plural(open.length, words.revokeAll)}
            </Button>
          )}
          <Button onClick={onClose}>{words.close}</Button>
        </>
      }
    >
      <p>{words.text}</p>
      <Table label={words.table} columns={columns} rows={tokens} rowKey={({ id }) => id} />
      {revocation.error && <p role="alert">{revocation.error.message}</p>}
    </Dialog>
  );
}

function useColumns(organizationId: string, act: (token: LeftToken) => ReactNode): readonly Column<LeftToken>[] {
  const { columns, never } = useWords().members.known;
  return [
    { id: 'name', label: columns.name, cell: (token) => <strong>{token.name}</strong> },
    {
      id: 'project',
      label: columns.project,
      cell: ({ project_id }) => <ProjectName organizationId={organizationId} projectId={project_id} />,
    },
    { id: 'last4', label: columns.last4, cell: ({ last4 }) => <span className="mono">…{last4}</span> },
    {
      id: 'used',
      label: columns.used,
      cell: ({ last_used_at }) => (last_used_at === null ? never : <Time value={last_used_at} />),
    },
    {
      id: 'actions',
      label: columns.actions,
      hideLabel: true,
      width: 'narrow',
      cell: act,
    },
  ];
}
