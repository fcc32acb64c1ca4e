import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTitle } from '../../frame/use-title';
import { TokenActs } from '../../parts/tokens/token-acts';
import { TokenSecret } from '../../parts/tokens/token-secret';
import { TokensList } from '../../parts/tokens/tokens-list';
import { useOrganizations } from '../../queries/account/session';
import { type OrganizationToken, organizationTokensQuery } from '../../queries/organization/tokens';
import { revokeProjectToken, rotateProjectToken } from '../../queries/project/project-tokens';
import { useMay } from '../../session/use-may';
import { Checkbox, EmptyState, PageHeader, Stack, Time, Toolbar } from '../../ui';
import { useWords } from '../../words/words-provider';
import { IdentifyToken } from './identify-token';

const UNUSED_DAYS = 90;

/** The project access tokens of all projects of an organization, and the search by a value that has leaked. */
export function OrganizationTokens() {
  const words = useWords().tokens.organizationWide;
  const { org } = useParams({ from: '/member/o/$org' });
  const may = useMay({ organizationId: org });
  useTitle(words.heading, useOrganizations().find(({ id }) => id === org)?.name);
  const reason = may('GET /organizations/{organization_id}/project-access-tokens');
  return (
    <Stack>
      <PageHeader title={words.heading} detail={words.detail} />
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
  const { tokens: words, roles } = useWords();
  const { columns, organizationWide: texts } = words;
  const { unused } = useSearch({ from: '/member/o/$org/tokens' });
  const navigate = useNavigate({ from: '/o/$org/tokens' });
  const [shown, setShown] = useState<string>();
  const isFiltered = unused !== undefined;
  return (
    <>
      <Toolbar>
        <Checkbox
          label={words.unused}
          checked={isFiltered}
          onChange={({ target }) => void navigate({ search: { unused: target.checked ? '1' : undefined } })}
        />
      </Toolbar>
      <TokensList
        list={useInfiniteQuery(organizationTokensQuery(organizationId, isFiltered ? UNUSED_DAYS : undefined))}
        title={texts.heading}
        emptyHeading={isFiltered ? texts.noUnused : undefined}
        emptyText={isFiltered ? '' : words.empty.text}
        own={[
          { id: 'project', label: columns.project, cell: (token) => <Project token={token} /> },
          { id: 'role', label: columns.role, cell: ({ role }) => roles[role] },
        ]}
        last={[
          { id: 'created', label: columns.created, cell: ({ created_at }) => <Time value={created_at} /> },
          {
            id: 'by',
            label: columns.by,
            cell: ({ created_by_label: by }) => <span title={by ?? undefined}>{by ?? words.deletedAccount}</span>,
          },
        ]}
        acts={(token) => <Acts token={token} onRotated={setShown} />}
      />
      {shown !== undefined && <TokenSecret token={shown} onDone={() => setShown(undefined)} />}
    </>
  );
}

function Project({ token: { organization_id: org, project_id: project, project_name } }: { token: OrganizationToken }) {
  return (
    <Link to="/o/$org/p/$project/tokens" params={{ org, project }}>
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
