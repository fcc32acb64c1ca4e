import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTitle } from '../../frame/use-title';
import { itemsOf, ListScreen } from '../../parts/lists/list-screen';
import { TokenActs } from '../../parts/tokens/token-acts';
import { TokenSecret } from '../../parts/tokens/token-secret';
import { TimeOrNever, TokenName } from '../../parts/tokens/token-state';
import { useOrganizations } from '../../queries/account/session';
import { type OrganizationToken, organizationTokensQuery } from '../../queries/organization/tokens';
import { revokeProjectToken, rotateProjectToken } from '../../queries/project/project-tokens';
import { useMay } from '../../session/use-may';
import {
  Card,
  Checkbox,
  classNames,
  type Column,
  EmptyState,
  Lines,
  PageHeader,
  Stack,
  Table,
  Time,
  Toolbar,
} from '../../ui';
import { useWords } from '../../words/words-provider';
import { IdentifyToken } from './identify-token';
import styles from './tokens.module.css';

const UNUSED_DAYS = 90;

/** The project access tokens of all projects of an organization, and the search by a value that has leaked. */
export function OrganizationTokens() {
  const { tokens, frame } = useWords();
  const words = tokens.organizationWide;
  const { org } = useParams({ from: '/member/o/$org' });
  const may = useMay({ organizationId: org });
  useTitle(frame.allTokens, useOrganizations().find(({ id }) => id === org)?.name);
  const reason = may('GET /organizations/{organization_id}/project-access-tokens');
  return (
    <Stack>
      <PageHeader title={frame.allTokens} detail={words.detail} />
      <IdentifyToken key={org} organizationId={org} />
      {reason === undefined ? (
        <Tokens organizationId={org} />
      ) : (
        <EmptyState title={words.refused.heading}>
          {words.refused.text} {reason}.
        </EmptyState>
      )}
    </Stack>
  );
}

function Tokens({ organizationId }: { organizationId: string }) {
  const { tokens: words, frame } = useWords();
  const { organizationWide: texts } = words;
  const { unused } = useSearch({ from: '/member/o/$org/tokens' });
  const navigate = useNavigate({ from: '/o/$org/tokens' });
  const [shown, setShown] = useState<string>();
  const isFiltered = unused !== undefined;
  const list = useInfiniteQuery(organizationTokensQuery(organizationId, isFiltered ? { unusedDays: UNUSED_DAYS } : {}));
  const tokens = itemsOf(list);
  const columns = useColumns(setShown);
  return (
    <>
      <Toolbar>
        <Checkbox
          label={words.onlyUnused}
          checked={isFiltered}
          onChange={({ target }) => void navigate({ search: { unused: target.checked ? '1' : undefined } })}
        />
      </Toolbar>
      <ListScreen
        list={list}
        count={tokens.length}
        rows={4}
        forms={words.count}
        empty={
          <EmptyState title={isFiltered ? texts.noUnused : words.empty.heading}>
            {isFiltered ? undefined : words.empty.text}
          </EmptyState>
        }
      >
        <Card title={frame.allTokens} hideTitle flush>
          <Table brief label={frame.allTokens} columns={columns} rows={tokens} rowKey={({ id }) => id} />
        </Card>
      </ListScreen>
      {shown !== undefined && <TokenSecret token={shown} onDone={() => setShown(undefined)} />}
    </>
  );
}

/** Fewer columns than the list of a project: two facts share a cell, so that each keeps a line. */
function useColumns(onRotated: (value: string) => void): readonly Column<OrganizationToken>[] {
  const { tokens: words, roles } = useWords();
  const { columns } = words;
  return [
    {
      id: 'name',
      label: columns.name,
      width: 'wide',
      cell: (token) => (
        <Lines>
          <TokenName token={token} />
          <span className={classNames('soft', styles.line)}>
            <span className="mono">…{token.last4}</span> · {roles[token.role]}
          </span>
        </Lines>
      ),
    },
    { id: 'project', label: columns.project, plain: true, cell: (token) => <Project token={token} /> },
    { id: 'used', label: columns.used, cell: ({ last_used_at }) => <TimeOrNever value={last_used_at} /> },
    {
      id: 'created',
      label: columns.created,
      cell: ({ created_at, created_by_label: by }) => (
        <Lines>
          <Time value={created_at} />
          <span className={classNames('soft', styles.line, styles.by)} title={by ?? undefined}>
            {by ?? words.deletedAccount}
          </span>
        </Lines>
      ),
    },
    { id: 'expires', label: columns.expires, cell: ({ expires_at }) => <TimeOrNever value={expires_at} /> },
    {
      id: 'actions',
      label: columns.actions,
      hideLabel: true,
      width: 'narrow',
      cell: (token) => <Acts token={token} onRotated={onRotated} />,
    },
  ];
}

function Project({ token: { organization_id: org, project_id: project, project_name } }: { token: OrganizationToken }) {
  return (
    <Link className={styles.line} to="/o/$org/p/$project/tokens" params={{ org, project }} title={project_name}>
      {project_name}
    </Link>
  );
}

function Acts({ token, onRotated }: { token: OrganizationToken; onRotated: (value: string) => void }) {
  const { id, organization_id, project_id } = token;
  const scope = { organization_id, project_id };
  const may = useMay({ organizationId: organization_id });
  const reason = may('GET /organizations/{organization_id}/project-access-tokens');
  return (
    <TokenActs
      token={token}
      list="organization-tokens"
      overlaps
      rotate={(overlap) => rotateProjectToken(scope, id, overlap)}
      onRotated={({ token: value }) => onRotated(value)}
      revoke={() => revokeProjectToken(scope, id)}
      rotateReason={reason}
      revokeReason={reason}
    />
  );
}
