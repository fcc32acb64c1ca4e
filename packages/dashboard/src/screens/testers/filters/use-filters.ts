import { type AdoptionFilter } from '@agate/client';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type Adoption, ADOPTION_FILTERS, adoptionQuery } from '../../../queries/project/adoption';
import { TESTER_STATES, type TesterFilters } from '../../../queries/project/testers';
import { useMay } from '../../../session/use-may';
import { useProjectPlace } from '../../../session/use-project-place';

const ROUTE = '/member/o/$org/p/$project/testers';
const PATH = '/o/$org/p/$project/testers';

/** The activity of testers needs another role. The route of their download log needs the same one. */
const ACTIVITY_ROUTE = 'GET /testers/{tester_id}/downloads';

/** The release or the build, and the step towards it, by which the list is filtered. */
export interface AdoptionPlace {
  readonly releaseId: string | undefined;
  readonly buildId: string | undefined;
  readonly step: AdoptionFilter;
}

/** The filters of the address. Filters by activity need another role, and are left out without it. */
export function useFilters() {
  const { organizationId, projectId } = useProjectPlace();
  const hiddenReason = useMay({ organizationId, projectId })(ACTIVITY_ROUTE);
  const address = useSearch({ from: ROUTE });
  const { q, channel } = address;
  const activity = hiddenReason === undefined ? address : {};
  const state = TESTER_STATES.find((one) => one === activity.state);
  const has_not = activity.has_not === 'current' ? ('current' as const) : undefined;
  const adoption = adoptionIn(activity);
  const filters: TesterFilters = {
    q,
    channel_id: channel,
    state,
    has_not,
    ...(adoption && { release_id: adoption.releaseId, build_id: adoption.buildId, adoption: adoption.step }),
  };
  return { filters, adoption, isFiltered: [q, channel, state, has_not, adoption].some(Boolean), hiddenReason };
}

/** Of a release and a build, the release counts: the API accepts one. */
function adoptionIn(address: {
  readonly release_id?: string;
  readonly build_id?: string;
  readonly adoption?: string;
}): AdoptionPlace | undefined {
  const { release_id: releaseId, build_id: buildId, adoption } = address;
  if (releaseId === undefined && buildId === undefined) return undefined;
  const step = ADOPTION_FILTERS.find((one) => one === adoption) ?? 'has_not';
  return { releaseId, buildId: releaseId === undefined ? buildId : undefined, step };
}

/** The current release by which the list is filtered. */
export function useFilteredRelease(): Adoption | undefined {
  const { scope } = useProjectPlace();
  const releaseId = useFilters().adoption?.releaseId;
  const { data: releases } = useQuery({ ...adoptionQuery(scope), enabled: releaseId !== undefined });
  return releases?.find(({ release_id: id }) => id === releaseId);
}

/** The search parameters without a release or build. */
export const NO_ADOPTION = { release_id: undefined, build_id: undefined, adoption: undefined };

type Parameter = 'q' | 'channel' | 'state' | 'has_not' | 'release_id' | 'build_id' | 'adoption';
/** Search parameters that change. */
export type Changes = { readonly [name in Parameter]?: string | undefined };

/** Returns the function that changes filters of the address. */
export function useFilter(): (changes: Changes) => void {
  const navigate = useNavigate({ from: PATH });
  return (changes) => void navigate({ search: (before) => ({ ...before, ...changes }), replace: 'q' in changes });
}

/** Returns the function that removes all filters. */
export function useClear(): () => void {
  const navigate = useNavigate({ from: PATH });
  return () => void navigate({ search: {} });
}
