import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTitle } from '../../../frame/use-title';
import { AccountTabs } from '../../../parts/account-tabs';
import { itemsOf } from '../../../parts/lists/list-screen';
import { TokenActs } from '../../../parts/tokens/token-acts';
import { TokenSecret } from '../../../parts/tokens/token-secret';
import { TokensList } from '../../../parts/tokens/tokens-list';
import { useDialog } from '../../../parts/use-dialog';
import {
  type NewPersonalToken,
  type PersonalToken,
  personalTokensQuery,
  revokePersonalToken,
  rotatePersonalToken,
} from '../../../queries/account/personal-tokens';
import { type SessionOrganization, useDeveloper, useOrganizations } from '../../../queries/account/session';
import { memberChoicesQuery } from '../../../queries/organization/members';
import { lastOrganization } from '../../../session/choices/last-organization';
import { useMay } from '../../../session/use-may';
import { Button, EmptyState, PageHeader, Select, Stack, Toolbar } from '../../../ui';
import { useWords } from '../../../words/words-provider';
import { NewPersonalTokenDialog } from './new-personal-token';
import styles from './personal-tokens.module.css';
import { presetOf } from './scopes-field';

/** The tokens with which the developer's scripts act for them, by organization. */
export function PersonalTokens() {
  const words = useWords().tokens;
  const organizations = useOrganizations();
  const { org } = useSearch({ from: '/member/account/tokens' });
  useTitle(words.personal);
  const wanted = org ?? lastOrganization();
  const organization = organizations.find(({ id }) => id === wanted) ?? organizations[0];
  return organization ? (
    <TokensOf key={organization.id} organization={organization} />
  ) : (
    <Stack>
      <PageHeader title={words.personal} detail={words.personalDetail} />
      <AccountTabs />
      <EmptyState title={words.noOrganization.heading}>{words.noOrganization.text}</EmptyState>
    </Stack>
  );
}

function TokensOf({ organization }: { organization: SessionOrganization }) {
  const words = useWords().tokens;
  const may = useMay({ organizationId: organization.id });
  const dialog = useDialog('new');
  const [shown, setShown] = useState<NewPersonalToken>();
  return (
    <Stack>
      <PageHeader
        title={words.personal}
        detail={words.personalDetail}
        actions={
          <Button variant="primary" icon="plus" disabledReason={may('POST /pats')} onClick={() => dialog.open('token')}>
            {words.new}
          </Button>
        }
      />
      <AccountTabs />
      <OrganizationChoice organizationId={organization.id} />
      <PersonalTokensList organization={organization} onNew={() => dialog.open('token')} onRotated={setShown} />
      {dialog.value && may('POST /pats') === undefined && (
        <NewPersonalTokenDialog
          organization={organization}
          onClose={dialog.close}
          onCreated={(token) => {
            dialog.close();
            setShown(token);
          }}
        />
      )}
      {shown && <TokenSecret token={shown.token} onDone={() => setShown(undefined)} />}
    </Stack>
  );
}

function OrganizationChoice({ organizationId }: { organizationId: string }) {
  const words = useWords().tokens;
  const navigate = useNavigate({ from: '/account/tokens' });
  return (
    <Toolbar>
      <Select
        label={words.organization}
        value={organizationId}
        onChange={(event) => void navigate({ search: { org: event.target.value } })}
        options={useOrganizations().map(({ id, name }) => ({ value: id, label: name }))}
      />
    </Toolbar>
  );
}

interface ListProps {
  readonly organization: SessionOrganization;
  readonly onNew: () => void;
  readonly onRotated: (token: NewPersonalToken) => void;
}

function PersonalTokensList({ organization, onNew, onRotated }: ListProps) {
  const words = useWords().tokens;
  const developer = useDeveloper();
  const may = useMay({ organizationId: organization.id });
  const list = useInfiniteQuery(personalTokensQuery(organization.id));
  // An ADMIN sees the tokens of all members.
  const hasOthers = itemsOf(list).some(({ developer_id }) => developer_id !== developer.id);
  const { data: members } = useQuery({ ...memberChoicesQuery(organization.id), enabled: hasOthers });
  const ownerOf = ({ developer_id }: PersonalToken): string => {
    const member = members?.find((one) => one.developer_id === developer_id);
    return member ? (member.name ?? member.email) : words.deletedAccount;
  };
  return (
    <TokensList
      list={list}
      title={words.personal}
      emptyText={words.empty.personalText}
      emptyActions={
        <Button variant="primary" icon="plus" disabledReason={may('POST /pats')} onClick={onNew}>
          {words.empty.create}
        </Button>
      }
      own={[
        ...(hasOthers ? [{ id: 'of', label: words.columns.of, cell: ownerOf }] : []),
        { id: 'scopes', label: words.columns.scopes, cell: (token) => <Scopes token={token} /> },
      ]}
      acts={(token) => (
        <TokenActs
          token={token}
          list="personal-tokens"
          overlaps={false}
          rotate={() => rotatePersonalToken(organization.id, token.id)}
          onRotated={onRotated}
          revoke={() => revokePersonalToken(organization.id, token.id)}
          rotateReason={token.developer_id === developer.id ? undefined : words.rotateOwn}
        />
      )}
    />
  );
}

function Scopes({ token }: { token: PersonalToken }) {
  const { scopeNames, presets } = useWords().tokens;
  const preset = presetOf(token.scopes, scopeNames);
  if (preset !== null) return presets[preset][0];
  return (
    <ul className={styles.scopeList}>
      {token.scopes.map((scope) => (
        <li key={scope}>{scopeNames[scope]}</li>
      ))}
    </ul>
  );
}
