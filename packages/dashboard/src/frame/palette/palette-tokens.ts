import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { itemsOf } from '../../parts/lists/list-screen';
import { tokenIn } from '../../parts/tokens/token-value';
import { keyOf } from '../../queries/keys';
import { identifyToken, organizationTokensQuery } from '../../queries/organization/tokens';
import { useMay } from '../../session/use-may';
import { usePlace } from '../use-place';
import { type FindableItem } from './palette-match';

const LAST_FOUR = /^\w{4}$/;

/** The project access tokens of the organization whose last four characters were typed, or the token that was pasted as a whole. */
export function usePaletteTokens(query: string): {
  readonly items: readonly FindableItem[];
  readonly isLoading: boolean;
} {
  const navigate = useNavigate();
  const { organizationId: org = '' } = usePlace();
  const may = useMay({ organizationId: org });
  const typed = query.trim();
  const pasted = tokenIn(typed);
  const list = useInfiniteQuery({
    ...organizationTokensQuery(org, { last4: typed }),
    enabled: LAST_FOUR.test(typed) && may('GET /organizations/{organization_id}/project-access-tokens') === undefined,
  });
  const identified = useQuery({
    // The value of a token must not stay in memory, so the key has only its end.
    queryKey: keyOf('identified-token', org, pasted?.slice(-4) ?? ''),
    gcTime: 0,
    retry: false,
    refetchInterval: false,
    enabled: pasted !== null && may('POST /organizations/{organization_id}/tokens/identify') === undefined,
    queryFn: () => identifyToken(org, pasted ?? ''),
  });
  const found = pasted === null ? itemsOf(list) : [identified.data];
  const items = found.flatMap((token): FindableItem[] =>
    token
      ? [
          {
            id: token.id,
            label: token.name,
            detail: [token.project_name, `…${token.last4}`].filter(Boolean).join(' · '),
            icon: 'key',
            onSelect: () => void navigate({ to: '/o/$org/tokens', params: { org } }),
          },
        ]
      : [],
  );
  return { items, isLoading: list.isLoading || identified.isLoading };
}
