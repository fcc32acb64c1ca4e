import { useNavigate } from '@tanstack/react-router';
import { type GoTo } from '../keys/shortcuts';
import { usePlace } from '../use-place';

/** Opens a screen of the current project or organization. Does nothing when that screen does not exist there. */
export function useGoTo(): (screen: GoTo) => void {
  const navigate = useNavigate();
  const { organizationId: org, projectId: project } = usePlace();
  return (screen) => {
    if (org === undefined) return;
    if (screen === 'members' || screen === 'audit') void navigate({ to: `/o/$org/${screen}`, params: { org } });
    else if (project !== undefined) {
      const params = { org, project };
      if (screen === 'overview') void navigate({ to: '/o/$org/p/$project', params });
      else void navigate({ to: `/o/$org/p/$project/${screen}`, params });
    } else if (screen === 'overview') void navigate({ to: '/o/$org', params: { org } });
    else if (screen === 'settings') void navigate({ to: '/o/$org/settings', params: { org } });
  };
}
