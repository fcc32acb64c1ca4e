import { useParams } from '@tanstack/react-router';
import { useOrganizations } from '../queries/account/session';
import { lastOrganization } from '../session/choices/last-organization';

/** The organization and project of the address; on the developer's own screens the last opened organization. */
export function usePlace(): { readonly organizationId: string | undefined; readonly projectId: string | undefined } {
  const { org, project } = useParams({ strict: false });
  const organizations = useOrganizations();
  const last = lastOrganization();
  const known = organizations.find(({ id }) => id === last) ?? organizations[0];
  return { organizationId: org ?? known?.id, projectId: project };
}
