import { includesProjectRole, type ProjectRole } from '@agate/client';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTitle } from '../../frame/use-title';
import { LoadError } from '../../parts/lists/load-error';
import { TokenActs } from '../../parts/tokens/token-acts';
import { TokenSecret } from '../../parts/tokens/token-secret';
import { TokensList } from '../../parts/tokens/tokens-list';
import { useDialog } from '../../parts/use-dialog';
import { serviceQuery } from '../../queries/account/session';
import { projectQuery, projectSummaryQuery } from '../../queries/organization/projects';
import {
  type NewProjectToken,
  type ProjectToken,
  projectTokensQuery,
  revokeProjectToken,
  rotateProjectToken,
} from '../../queries/project/project-tokens';
import { useMay } from '../../session/use-may';
import { useProjectPlace } from '../../session/use-project-place';
import { Button, buttonClass, EmptyState, PageHeader, Skeleton, Stack } from '../../ui';
import { useWords } from '../../words/words-provider';
import { NewProjectTokenDialog } from './new-project-token';

/** The tokens with which CI acts in a project. */
export function ProjectTokens() {
  const { tokens: words, frame } = useWords();
  const { scope, organizationId, projectId, params } = useProjectPlace();
  const { data: project } = useQuery(projectQuery(scope));
  const { data: service } = useQuery(serviceQuery);
  const { data: summary, error, refetch } = useQuery(projectSummaryQuery(scope));
  const may = useMay({ organizationId, projectId });
  const dialog = useDialog('new');
  useTitle(frame.tokens, project?.name);
  const reason = may('GET /project-access-tokens');
  return (
    <Stack>
      <PageHeader
        title={frame.tokens}
        detail={words.detail}
        actions={
          <>
            {service?.mcp === 'on' && (
              <Link to="/o/$org/p/$project/settings/agents" params={params} className={buttonClass('secondary')}>
                {words.connectAgent}
              </Link>
            )}
            <Button
              variant="primary"
              icon="plus"
              disabledReason={may('POST /project-access-tokens')}
              onClick={() => dialog.open('token')}
            >
              {words.new}
            </Button>
          </>
        }
      />
      {error && !summary && <LoadError error={error} onRetry={() => void refetch()} />}
      {!summary && !error && <Skeleton shape="rows" count={4} />}
      {summary && reason !== undefined && (
        <EmptyState title={words.refused.heading} icon="lock">
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
      <ProjectTokensList onNew={() => dialog.open('token')} onRotated={setShown} />
      {dialog.value !== undefined && (
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

interface ListProps {
  readonly onNew: () => void;
  readonly onRotated: (token: NewProjectToken) => void;
}

function ProjectTokensList({ onNew, onRotated }: ListProps) {
  const { tokens: words, frame, roles } = useWords();
  const { scope, organizationId, projectId } = useProjectPlace();
  const may = useMay({ organizationId, projectId });
  return (
    <TokensList
      list={useInfiniteQuery(projectTokensQuery(scope))}
      title={frame.tokens}
      emptyText={words.empty.text}
      emptyActions={
        <Button variant="primary" icon="plus" disabledReason={may('POST /project-access-tokens')} onClick={onNew}>
          {words.empty.create}
        </Button>
      }
      own={[{ id: 'role', label: words.columns.role, cell: ({ role }) => roles[role] }]}
      last={[
        { id: 'by', label: words.columns.by, cell: ({ created_by_label }) => created_by_label ?? words.deletedAccount },
      ]}
      acts={(token) => <Acts token={token} onRotated={onRotated} />}
    />
  );
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
