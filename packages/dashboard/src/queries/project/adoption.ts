import { type AdoptionFilter, type ReleaseAdoptionResponse } from '@agate/client';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../session/api';
import { type ProjectScope } from '../../session/use-project-place';
import { PACE } from '../client';
import { keyOf } from '../keys';

export type Adoption = ReleaseAdoptionResponse;

/** The steps of testers who lack a build, from the last to the first. The others have it, or a newer one. */
export const LACKING_STEPS = ['downloaded', 'opened', 'mailed', 'not_mailed', 'bounced'] as const;

/** The filters by a step. `has_not`: all steps of those who lack the build. */
export const ADOPTION_FILTERS: readonly AdoptionFilter[] = ['has_it', 'has_newer', 'has_not', ...LACKING_STEPS];

/** The numbers of testers at each step, for each current release of a project. */
export const adoptionQuery = ({ organization_id, project_id }: ProjectScope) =>
  queryOptions({
    queryKey: keyOf('adoption', project_id),
    refetchInterval: PACE.counts,
    queryFn: async ({ signal }) =>
      (
        await api.request('GET /projects/{project_id}/adoption', {
          path: { project_id },
          query: { organization_id },
          signal,
        })
      ).items,
  });

/** The numbers of testers at each step towards a build, over all its current releases, its invitations and its downloads. */
export const buildAdoptionQuery = (scope: ProjectScope, buildId: string) =>
  queryOptions({
    queryKey: keyOf('build-adoption', buildId),
    refetchInterval: PACE.counts,
    queryFn: ({ signal }) =>
      api.request('GET /builds/{build_id}/adoption', { path: { build_id: buildId }, query: scope, signal }),
  });

type Counts = Pick<Adoption, Exclude<AdoptionFilter, 'has_not'> | 'testers'>;

/** The number of testers at a step. */
export const countAt = (counts: Counts, step: AdoptionFilter): number =>
  step === 'has_not' ? LACKING_STEPS.reduce((sum, one) => sum + counts[one], 0) : counts[step];

/** The number of testers whom a reminder would mail: those who lack the build and have a valid address. */
export const remindable = (counts: Counts): number => countAt(counts, 'has_not') - counts.bounced;

/** Mails the testers who lack the build of a current release. @param testerIds default: all of them. */
export const remind = (scope: ProjectScope, releaseId: string, testerIds?: readonly string[]) =>
  api.request('POST /releases/{release_id}/reminders', {
    path: { release_id: releaseId },
    query: scope,
    body: testerIds === undefined ? {} : { tester_ids: [...testerIds] },
  });
