import { includesProjectRole, type ProjectRole } from '@agate/client';
import { itemsOf, ListScreen } from '../../parts/lists/list-screen';
import { useDialog } from '../../parts/use-dialog';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { LoadError } from '../../parts/lists/load-error';
import { useTitle } from '../../frame/use-title';
import { TokenActs } from '../../parts/tokens/token-acts';
import { TokenSecret } from '../../parts/tokens/token-secret';
import { TimeOrNever, TokenName } from '../../parts/tokens/token-state';
import {
  type NewProjectToken,
  type ProjectToken,
  projectTokensQuery,
  revokeProjectToken,
  rotateProjectToken,
} from '../../queries/project/project-tokens';
import { projectQuery, projectSummaryQuery } from '../../queries/organization/projects';
import { useMay } from '../../session/use-may';
import { useProjectPlace } from '../../session/use-project-place';
import { Button, Card, type Column, EmptyState, PageHeader, Skeleton, Stack, Table } from '../../ui';
import { useWords } from '../../words/words-provider';
import { NewProjectTokenDialog } from './new-project-token';

/** The tokens with which CI acts in a project. */
export function ProjectTokens() {
  const words = useWords().tokens;
  const { scope, organizationId, projectId } = useProjectPlace();
  const { data: project } = useQuery(projectQuery(scope));
  const { data: summary, error, refetch } = useQuery(projectSummaryQuery(scope));
  const may = useMay({ organizationId, projectId });
  const dialog = useDialog('new');
  useTitle(words.heading, project?.name);
  const reason = may('GET /project-access-tokens');
  return (
    <Stack>
      <PageHeader
        title={words.heading}
        detail={words.detail}
        actions={
          <Button
            variant="primary"
            icon="plus"
            disabledReason={may('POST /project-access-tokens')}
            onClick={() => dialog.open('token')}
          >
            {words.new}
          </Button>
        }
      />
      {error && !summary && <LoadError error={error} onRetry={() => void refetch()} />}
      {!summary && !error && <Skeleton shape="rows" count={4} />}
      {summary && reason !== undefined && (
        <EmptyState title={words.refused.heading}>
          {words.refused.text} {reason}.
        </EmptyState>
      )}
      {summary && reason === undefined && <Tokens ownRole={summary.my_role} />}
    </Stack>
  );
}

function Tokens({ ownRole }: { ownRole: ProjectRole | null }) {
  const dialog = useDialog('new');
  const [shown, setShown] = useState<NewProjectToken>();
  return (
    <>
      <TokensList onRotated={setShown} />
      {dialog.value && (
        <NewProjectTokenDialog
          ownRole={ownRole}
          onClose={dialog.close}
          onCreated={(token) => {
            dialog.close();
            setShown(token);
          }}
        />
      )}
      {shown && (
        <TokenSecret
          token={shown.token}
          uploads={includesProjectRole(shown.role, 'UPLOAD_BUILD')}
          onDone={() => setShown(undefined)}
        />
      )}
    </>
  );
}

function TokensList({ onRotated }: { onRotated: (token: NewProjectToken) => void }) {
  const words = useWords().tokens;
  const { scope } = useProjectPlace();
  const columns = useColumns(onRotated);
  const list = useInfiniteQuery(projectTokensQuery(scope));
  const tokens = itemsOf(list);
  return (
    <ListScreen
      list={list}
      count={tokens.length}
      rows={4}
      forms={words.count}
      more={words.more}
      empty={<EmptyState title={words.empty.heading}>{words.empty.text}</EmptyState>}
    >
      <Card title={words.heading} hideTitle flush>
        <Table label={words.heading} columns={columns} rows={tokens} rowKey={({ id }) => id} />
      </Card>
    </ListScreen>
  );
}

function useColumns(onRotated: (token: NewProjectToken) => void): readonly Column<ProjectToken>[] {
  const { tokens: words, roles } = useWords();
  const { columns } = words;
  return [
    { id: 'name', label: columns.name, cell: (token) => <TokenName token={token} /> },
    { id: 'role', label: columns.role, cell: ({ role }) => roles[role] },
    { id: 'last4', label: columns.last4, cell: ({ last4 }) => <span className="mono">…{last4}</span> },
    { id: 'used', label: columns.used, cell: ({ last_used_at }) => <TimeOrNever value={last_used_at} /> },
    { id: 'expires', label: columns.expires, cell: ({ expires_at }) => <TimeOrNever value={expires_at} /> },
    { id: 'by', label: columns.by, cell: ({ created_by_label }) => created_by_label ?? words.deletedAccount },
    {
      id: 'actions',
      label: columns.actions,
      hideLabel: true,
      width: 'narrow',
      cell: (token) => <Acts token={token} onRotated={onRotated} />,
    },
  ];
}

function Acts({ token, onRotated }: { token: ProjectToken; onRotated: (token: NewProjectToken) => void }) {
  const words = useWords();
  const { scope, organizationId, projectId } = useProjectPlace();
  const may = useMay({ organizationId, projectId });
  const { data: summary } = useQuery(projectSummaryQuery(scope));
  const above =
    summary && !includesProjectRole(summary.my_role, token.role)
      ? words.errors.needsRole(words.roles[token.role])
      : undefined;
  return (
    <TokenActs
      token={token}
      list="project-tokens"
      overlaps
      rotate={(overlap) => rotateProjectToken(scope, token.id, overlap)}
      onRotated={onRotated}
      revoke={() => revokeProjectToken(scope, token.id)}
      rotateReason={may('POST /project-access-tokens/{token_id}/rotate') ?? above}
      revokeReason={may('DELETE /project-access-tokens/{token_id}') ?? above}
    />
  );
}
