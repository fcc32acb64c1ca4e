import { useMatch, useParams } from '@tanstack/react-router';
import { useOrganizations } from '../queries/account/session';
import { lastOrganization } from '../session/choices/last-organization';

interface FramePlace {
  readonly organizationId: string | undefined;
  readonly projectId: string | undefined;
}

/**
 * The organization and project of the address, which the first steps have in their search. On the developer's own screens the last opened
 * organization.
 */
export function usePlace(): FramePlace {
  const { org, project } = useParams({ strict: false });
  const { org: chosen } = useMatch({ from: '/member/account/tokens', shouldThrow: false })?.search ?? {};
  const first = useMatch({ from: '/member/welcome', shouldThrow: false })?.search ?? {};
  const organizations = useOrganizations();
  const last = lastOrganization();
  const known = organizations.find(({ id }) => id === last) ?? organizations[0];
  // The screen says that the organization does not exist. The navigation leads back.
  if (org !== undefined && !organizations.some(({ id }) => id === org))
    return { organizationId: known?.id, projectId: undefined };
  return { organizationId: org ?? chosen ?? first.org ?? known?.id, projectId: project ?? first.project };
}
