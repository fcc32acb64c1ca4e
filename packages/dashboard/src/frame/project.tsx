import { useQuery } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import { ApiError } from '@agate/client';
import { projectQuery } from '../queries/organization/projects';
import { useProjectPlace } from '../session/use-project-place';
import { LoadError } from '../parts/lists/load-error';
import { NotFound } from './not-found';
import { Pending } from './pending';

/** The screens of one project. */
export function Project() {
  const { scope } = useProjectPlace();
  const { data, error, refetch } = useQuery(projectQuery(scope));
  if (data) return <Outlet />;
  if (!error) return <Pending />;
  const isMissing = error instanceof ApiError && [400, 403, 404].includes(error.status);
  return isMissing ? <NotFound /> : <LoadError error={error} onRetry={() => void refetch()} />;
}
