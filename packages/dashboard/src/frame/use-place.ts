import { useMatch, useParams } from '@tanstack/react-router';
import { useOrganizations } from '../queries/account/session';
import { lastOrganization } from '../session/choices/last-organization';

interface FramePlace {
  readonly organizationId: string | undefined;
  readonly projectId: string | undefined;
}

/** The organization and project of the address, which the first steps have in their search. */
function useNamedPlace(): FramePlace {
  const { org, project } = useParams({ strict: false });
  const { org: chosen } = useMatch({ from: '/member/account/tokens', shouldThrow: false })?.search ?? {};
  const first = useMatch({ from: '/member/welcome', shouldThrow: false })?.search ?? {};
  return { organizationId: org ?? chosen ?? first.org, projectId: project ?? first.project };
}

/** The place of the address. Where it names none of the developer's organizations, the last opened one. */
export function usePlace(): FramePlace {
  const named = useNamedPlace();
  const organizations = useOrganizations();
  if (organizations.some(({ id }) => id === named.organizationId)) return named;
  const last = lastOrganization();
  const known = organizations.find(({ id }) => id === last) ?? organizations[0];
  return { organizationId: known?.id, projectId: undefined };
}
