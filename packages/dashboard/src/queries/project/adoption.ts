import { type ReleaseAdoptionResponse } from '@agate/client';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../session/api';
import { type ProjectScope } from '../../session/use-project-place';
import { PACE } from '../client';
import { keyOf } from '../keys';

export type Adoption = ReleaseAdoptionResponse;

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

/** The number of testers whom a reminder would mail: those who lack the build and have a valid address. */
export const remindable = ({ testers, has_it, bounced }: Pick<Adoption, 'testers' | 'has_it' | 'bounced'>): number =>
  testers - has_it - bounced;

/** Mails the testers who lack the build of a current release. @param testerIds default: all of them. */
export const remind = (scope: ProjectScope, releaseId: string, testerIds?: readonly string[]) =>
  api.request('POST /releases/{release_id}/reminders', {
    path: { release_id: releaseId },
    query: scope,
    body: testerIds === undefined ? {} : { tester_ids: [...testerIds] },
  });
