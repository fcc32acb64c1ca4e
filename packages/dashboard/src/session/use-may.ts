import { missingRole, type Route } from '@agate/client';
import { useQuery } from '@tanstack/react-query';
import { useDeveloper, useOrganizations } from '../queries/account/session';
import { PACE } from '../queries/client';
import { projectSummaryQuery } from '../queries/organization/projects';
import { useWords } from '../words/words-provider';

export interface Place {
  readonly organizationId: string;
  readonly projectId?: string;
}

/** Channels, and promotions to them, are not part of the Team plan. */
const NEED_CHANNELS: readonly Route[] = ['POST /channels', 'POST /releases'];

/**
 * Returns a function that gives the reason why the developer may not use a route here; undefined when they may. The service decides; this
 * function only explains.
 */
export function useMay({ organizationId, projectId }: Place): (route: Route) => string | undefined {
  const words = useWords();
  const developer = useDeveloper();
  const organization = useOrganizations().find(({ id }) => id === organizationId);
  const { data: summary } = useQuery({
    ...projectSummaryQuery({ organization_id: organizationId, project_id: projectId ?? '' }),
    enabled: projectId !== undefined,
    // Only the role is needed here, and the stream of changes reports when it changes.
    refetchInterval: PACE.other,
  });
  return (route) => {
    if (!developer.email_verified && !route.startsWith('GET ')) return words.frame.verify.reason;
    const role = missingRole(route, {
      organization: organization?.roles ?? [],
      project: summary?.my_role ?? null,
    });
    if (role !== null) return words.errors.needsRole(words.roles[role]);
    return NEED_CHANNELS.includes(route) && organization?.plan === 'team'
      ? words.errors.needsPlan('Business')
      : undefined;
  };
}
