import { type PlanOfferResponse } from '@agate/client';
import { useQuery } from '@tanstack/react-query';
import { serviceQuery, useOrganizations } from '../queries/account/session';

/** Whether the plan of an organization includes a feature. Undefined until it is known. */
export function usePlanHas(
  organizationId: string,
  feature: PlanOfferResponse['features'][number],
): boolean | undefined {
  const { data: service } = useQuery(serviceQuery);
  const organization = useOrganizations().find(({ id }) => id === organizationId);
  if (!service || !organization) return undefined;
  return service.plans.find(({ plan }) => plan === organization.plan)?.features.includes(feature) ?? false;
}
