import { useMay } from '../../session/use-may';
import { useWebhooksPlace } from './use-webhooks-place';

/** The reason why the developer may not manage these webhooks. Managers of a project have its webhooks, ADMINs all. */
export function useNeedsManager(): string | undefined {
  const { organizationId, projectId } = useWebhooksPlace();
  const may = useMay({ organizationId, projectId });
  return may(projectId === undefined ? 'PATCH /organizations/{organization_id}' : 'PATCH /projects/{project_id}');
}
