import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useRestore } from '../parts/deletion/use-trash-acts';
import { projectQuery } from '../queries/organization/projects';
import { type Build, versionOf } from '../queries/project/builds';
import { trashedBuildQuery } from '../queries/project/trashed-build';
import { useMay } from '../session/use-may';
import { useProjectPlace } from '../session/use-project-place';
import { Button, buttonClass, EmptyState } from '../ui';
import { useFormat } from '../words/use-format';
import { useWords } from '../words/words-provider';
import { NotFound } from './not-found';
import { useTitle } from './use-title';

/** The screen of a build that the service does not find: it is in the trash, or does not exist. */
export function MissingBuild({ buildId }: { readonly buildId: string }) {
  const { scope } = useProjectPlace();
  const { data, isPending } = useQuery(trashedBuildQuery(scope, buildId));
  if (isPending) return null;
  return data ? <Trashed build={data} /> : <NotFound />;
}

function Trashed({ build }: { readonly build: Build }) {
  const words = useWords().trash;
  const format = useFormat();
  const { scope, params, organizationId, projectId } = useProjectPlace();
  const { data: project } = useQuery(projectQuery(scope));
  const restore = useRestore();
  const version = versionOf(build);
  useTitle(version, project?.name);
  return (
    <EmptyState
      title={`${build.app.name ?? project?.name ?? build.file_name} ${version}`}
      level={1}
      icon="trash"
      actions={
        <>
          <Button
            icon="undo"
            busy={restore.isPending}
            disabledReason={useMay({ organizationId, projectId })('POST /builds/restore')}
            onClick={() => restore.mutate([build])}
          >
            {words.restore}
          </Button>
          <Link to="/o/$org/p/$project/trash" params={params} className={buttonClass('quiet')}>
            {words.heading}
          </Link>
        </>
      }
    >
      {words.until(format.dateTime(new Date(build.frees_bytes_at ?? '')))}
    </EmptyState>
  );
}
