import { useParams } from '@tanstack/react-router';
import { useOrganizations } from '../../queries/account/session';
import { useMay } from '../../session/use-may';

/** The organization of the billing screen, and the developer's permissions there. */
export function useBillingPlace() {
  const { org: organizationId } = useParams({ from: '/member/o/$org/billing' });
  const organization = useOrganizations().find(({ id }) => id === organizationId);
  const may = useMay({ organizationId });
  return { organizationId, organization, may };
}
