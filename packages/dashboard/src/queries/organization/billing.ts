import {
  type BillingAccountResponse,
  type BillingListsResponse,
  type LedgerEntryResponse,
  type Plan,
  type ServiceResponse,
  type StatementResponse,
  type TopUpResponse,
  type UsageResponse,
} from '@agate/client';
import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { api } from '../../session/api';
import { byCursor } from '../by-cursor';
import { keyOf } from '../keys';

export type BillingAccount = BillingAccountResponse;
export type Usage = UsageResponse;
export type TopUp = TopUpResponse;
export type LedgerEntry = LedgerEntryResponse;
export type Statement = StatementResponse;
export type Service = ServiceResponse;
export type { Plan };

const placeOf = (organizationId: string) => ({ organization_id: organizationId });

export const billingAccountQuery = (organizationId: string) =>
  queryOptions({
    queryKey: keyOf('billing', organizationId),
    refetchInterval: 30_000,
    queryFn: async ({ client, signal }): Promise<BillingAccount> => {
      const isListed = client.getQueryData(ledgerQuery(organizationId).queryKey) !== undefined;
      const { lists, ...account } = await api.request('GET /organizations/{organization_id}/billing', {
        path: placeOf(organizationId),
        query: isListed ? {} : { include: 'lists' },
        signal,
      });
      if (lists) keepLists(client, organizationId, lists);
      return account;
    },
  });

/** The lists of the billing screen are preloaded. */
function keepLists(client: QueryClient, organizationId: string, lists: BillingListsResponse): void {
  client.setQueryData(topUpsQuery(organizationId).queryKey, lists.top_ups.items);
  client.setQueryData(ledgerQuery(organizationId).queryKey, { pages: [lists.ledger], pageParams: [''] });
  client.setQueryData(statementsQuery(organizationId).queryKey, { pages: [lists.statements], pageParams: [''] });
}

/** The usage of a month by day. Default: the current month. */
export const usageQuery = (organizationId: string, month = '') =>
  queryOptions({
    queryKey: keyOf('usage', organizationId, month),
    refetchInterval: 60_000,
    queryFn: ({ signal }) =>
      api.request('GET /organizations/{organization_id}/usage', {
        path: placeOf(organizationId),
        query: { period: month },
        signal,
      }),
  });

/** The newest 50 top-ups. Polls while one of them is not paid. */
export const topUpsQuery = (organizationId: string) =>
  queryOptions({
    queryKey: keyOf('top-ups', organizationId),
    refetchInterval: ({ state: { data } }: { state: { data: readonly TopUp[] | undefined } }) =>
      data?.some(isPending) ? 15_000 : false,
    queryFn: async ({ signal }): Promise<readonly TopUp[]> => {
      const path = placeOf(organizationId);
      const request = { path, query: { limit: 50 }, signal };
      return (await api.request('GET /organizations/{organization_id}/billing/top-ups', request)).items;
    },
  });

const isPending = ({ state }: TopUp): boolean => state === 'pending';

const ledgerPage = (organizationId: string, cursor: string, limit: number, signal?: AbortSignal) =>
  api.request('GET /organizations/{organization_id}/billing/ledger', {
    path: placeOf(organizationId),
    query: { limit, cursor },
    ...(signal && { signal }),
  });

const statementPage = (organizationId: string, cursor: string, limit: number, signal?: AbortSignal) =>
  api.request('GET /organizations/{organization_id}/billing/statements', {
    path: placeOf(organizationId),
    query: { limit, cursor },
    ...(signal && { signal }),
  });

export const ledgerQuery = (organizationId: string) =>
  infiniteQueryOptions({
    queryKey: keyOf('ledger', organizationId),
    refetchInterval: false,
    ...byCursor,
    queryFn: ({ pageParam, signal }) => ledgerPage(organizationId, pageParam, 50, signal),
  });

export const statementsQuery = (organizationId: string) =>
  infiniteQueryOptions({
    queryKey: keyOf('statements', organizationId),
    refetchInterval: false,
    ...byCursor,
    queryFn: ({ pageParam, signal }) => statementPage(organizationId, pageParam, 50, signal),
  });

interface Page<Item> {
  readonly items: readonly Item[];
  readonly next_cursor: string | null;
}

/** Reads all pages of a list. */
async function everyPage<Item>(read: (cursor: string) => Promise<Page<Item>>): Promise<Item[]> {
  const items: Item[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const page: Page<Item> = await read(cursor);
    items.push(...page.items);
    cursor = page.next_cursor;
  }
  return items;
}

export const wholeLedger = (organizationId: string): Promise<LedgerEntry[]> =>
  everyPage((cursor) => ledgerPage(organizationId, cursor, 100));

export const allStatements = (organizationId: string): Promise<Statement[]> =>
  everyPage((cursor) => statementPage(organizationId, cursor, 100));

/** Buys credit. A repeated request with the same key returns the first top-up. */
export const createTopUp = (organizationId: string, microDollars: number, key: string): Promise<TopUp> =>
  api.request('POST /organizations/{organization_id}/billing/top-ups', {
    path: placeOf(organizationId),
    headers: { 'Idempotency-Key': key },
    body: { amount_micro_usd: microDollars },
  });

interface Limits {
  readonly spend_cap_micro_usd?: number | null;
  readonly budget_alert_percents?: readonly number[];
}

export const changeLimits = (organizationId: string, limits: Limits): Promise<BillingAccount> =>
  api.request('PATCH /organizations/{organization_id}/billing', { path: placeOf(organizationId), body: limits });

export const changePlan = (organizationId: string, plan: Plan): Promise<BillingAccount> =>
  api.request('POST /organizations/{organization_id}/plan', { path: placeOf(organizationId), body: { plan } });
