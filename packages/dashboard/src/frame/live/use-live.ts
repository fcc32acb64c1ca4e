import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { LiveChanges } from './live';

/** Shows the changes of an organization that others make, while one of its screens is open. */
export function useLive(organizationId: string, enabled: boolean): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    if (!enabled) return;
    const changes = new LiveChanges(organizationId, queryClient);
    changes.start();
    return () => changes.stop();
  }, [organizationId, enabled, queryClient]);
}
