import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { itemsOf } from '../../parts/lists/list-screen';
import { personalTokensQuery } from '../../queries/account/personal-tokens';
import { projectTokensQuery } from '../../queries/project/project-tokens';
import { useMay } from '../../session/use-may';
import { usePlace } from '../use-place';
import { type FindableItem } from './palette-match';
import { lastFourOf } from './palette-token';

const LAST_FOUR = /^[\w-]{4}$/;

/** The tokens of the project and of the developer whose last four characters were typed, or which was pasted as a whole. */
export function usePaletteTokens(query: string): {
  readonly items: readonly FindableItem[];
  readonly isLoading: boolean;
} {
  const navigate = useNavigate();
  const { organizationId: org = '', projectId: project } = usePlace();
  const may = useMay({ organizationId: org, projectId: project });
  const typed = query.trim();
  const wanted = lastFourOf(typed) ?? (LAST_FOUR.test(typed) ? typed : undefined);
  const isWanted = wanted !== undefined && org !== '';
  const ofProject = useInfiniteQuery({
    ...projectTokensQuery({ organization_id: org, project_id: project ?? '' }),
    enabled: isWanted && project !== undefined && may('GET /project-access-tokens') === undefined,
  });
  const own = useInfiniteQuery({
    ...personalTokensQuery(org),
    enabled: isWanted && may('GET /pats') === undefined,
  });
  const itemOf = (
    { id, name, last4 }: { readonly id: string; readonly name: string; readonly last4: string },
    onSelect: () => void,
  ): FindableItem => ({ id, label: name, detail: `…${last4}`, icon: 'key', onSelect });
  const items = [
    ...itemsOf(ofProject)
      .filter(({ last4 }) => last4 === wanted)
      .map((token) =>
        itemOf(
          token,
          () => void navigate({ to: '/o/$org/p/$project/tokens', params: { org, project: project ?? '' } }),
        ),
      ),
    ...itemsOf(own)
      .filter(({ last4 }) => last4 === wanted)
      .map((token) => itemOf(token, () => void navigate({ to: '/account/tokens', search: { org } }))),
  ];
  return { items, isLoading: ofProject.isLoading || own.isLoading };
}
