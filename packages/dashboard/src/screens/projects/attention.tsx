import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode } from 'react';
import { balanceQuery, openInvitationsQuery } from '../../queries/organization/organization';
import { ownInvitationsQuery } from '../../queries/account/own-invitations';
import { useMay } from '../../session/use-may';
import { Card, Icon, useNow } from '../../ui';
import { useFormat } from '../../words/use-format';
import { useWords } from '../../words/words-provider';
import { daysLeft } from './credit';
import styles from './projects.module.css';

/** What needs an answer: invitations, and credit that runs out. Empty without any. */
export function Attention({ organizationId }: { organizationId: string }) {
  const words = useWords().projects.attention;
  const items = [...useInvitations(organizationId), ...useCredit(organizationId)];
  if (items.length === 0) return null;
  return (
    <Card title={words.heading}>
      <ul className={styles.attention}>
        {items.map(({ id, text, link, isUrgent }) => (
          <li key={id}>
            <Icon name={isUrgent ? 'warning' : 'info'} />
            <span>{text}</span>
            {link}
          </li>
        ))}
      </ul>
    </Card>
  );
}

interface Item {
  readonly id: string;
  readonly text: string;
  readonly link: ReactNode;
  readonly isUrgent?: boolean;
}

function useInvitations(organizationId: string): readonly Item[] {
  const words = useWords().projects.attention;
  const format = useFormat();
  const may = useMay({ organizationId });
  const { data: own = [] } = useQuery(ownInvitationsQuery);
  const { data: open = 0 } = useQuery({
    ...openInvitationsQuery(organizationId),
    enabled: may('GET /organizations/{organization_id}/invitations') === undefined,
  });
  const items: Item[] = own.map(({ id, organization_name }) => ({
    id,
    text: words.invited(organization_name),
    link: <Link to="/welcome">{words.answer}</Link>,
  }));
  if (open > 0) {
    const link = (
      <Link to="/o/$org/members" params={{ org: organizationId }}>
        {words.members}
      </Link>
    );
    items.push({ id: 'open', text: format.plural(open, words.openInvitations), link });
  }
  return items;
}

function useCredit(organizationId: string): readonly Item[] {
  const words = useWords().projects.attention;
  const format = useFormat();
  const now = useNow();
  const may = useMay({ organizationId });
  const { data: account } = useQuery({
    ...balanceQuery(organizationId),
    enabled: may('GET /organizations/{organization_id}/billing') === undefined,
  });
  const days = account ? daysLeft(account, now) : null;
  if (!account || days === null) return [];
  const isPrepaid = account.mode === 'prepaid';
  const left = format.money(account.available_micro_usd ?? 0);
  const text =
    (account.available_micro_usd ?? 0) <= 0
      ? isPrepaid
        ? words.noCredit
        : words.capReached
      : (isPrepaid ? words.credit : words.cap)(left, format.plural(days, words.days));
  const link = (
    <Link to="/o/$org/billing" params={{ org: organizationId }}>
      {words.billing}
    </Link>
  );
  return [{ id: 'credit', text, link, isUrgent: true }];
}
