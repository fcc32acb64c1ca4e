import { type BillingAccountResponse, type ListedProjectResponse } from '@agate/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { AttentionCard, type AttentionItem } from '../../parts/attention/attention-card';
import { useBuildTasks } from '../../parts/attention/use-build-tasks';
import { ownInvitationsQuery } from '../../queries/account/own-invitations';
import { balanceQuery, openInvitationsQuery } from '../../queries/organization/organization';
import { useMay } from '../../session/use-may';
import { useNow } from '../../ui';
import { useFormat } from '../../words/use-format';
import { useWords } from '../../words/words-provider';

/** The developer's tasks in an organization: to accept an invitation, add credit, replace or renew a build. */
export function Attention({ organizationId, projects }: AttentionProps) {
  const items = [...useInvitations(organizationId), ...useCredit(organizationId), ...useBuildTasks(projects)];
  return <AttentionCard items={items} />;
}

interface AttentionProps {
  readonly organizationId: string;
  /** The projects that are listed, with their summaries. */
  readonly projects: readonly ListedProjectResponse[];
}

function useInvitations(organizationId: string): readonly AttentionItem[] {
  const words = useWords().projects.attention;
  const format = useFormat();
  const may = useMay({ organizationId });
  const { data: own = [] } = useQuery(ownInvitationsQuery);
  const { data: open = 0 } = useQuery({
    ...openInvitationsQuery(organizationId),
    enabled: may('GET /organizations/{organization_id}/invitations') === undefined,
  });
  const items: AttentionItem[] = own.map(({ id, organization_name }) => ({
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

function useCredit(organizationId: string): readonly AttentionItem[] {
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
  return [{ id: 'credit', text, link, tone: 'warning' }];
}

/** The page warns when the credit lasts fewer days than this. */
const SOON_DAYS = 14;
const DAY_MS = 86_400_000;

/**
 * The number of days that the remaining amount lasts at this month's rate; null when it lasts longer than two weeks, or when nothing limits
 * it.
 */
function daysLeft(account: BillingAccountResponse, now: Date): number | null {
  const { available_micro_usd: available, spent_micro_usd: spent, metered, period } = account;
  if (available === null || !metered) return null;
  if (available <= 0) return 0;
  const elapsed = Math.max((now.getTime() - Date.parse(`${period}-01T00:00:00Z`)) / DAY_MS, 1);
  const days = Math.floor(available / (spent / elapsed));
  return days < SOON_DAYS ? days : null;
}
