import { Link } from '@tanstack/react-router';
import { uploadingCurl } from '../../parts/ci/curl';
import { useProjectPlace } from '../../session/use-project-place';
import { Card, CodeBlock, EmptyState, Stack } from '../../ui';
import { UploadDropZone } from '../../uploads';
import { useWords } from '../../words/words-provider';

/** The text of a list without rows: how to upload builds, or that no build matches the filters. */
export function NoBuilds({ isFiltered }: { isFiltered: boolean }) {
  const { empty, nothing } = useWords().builds;
  const { scope, params } = useProjectPlace();
  if (isFiltered) return <EmptyState title={nothing.heading}>{nothing.text}</EmptyState>;
  return (
    <Stack gap={16}>
      <EmptyState title={empty.heading}>{empty.text}</EmptyState>
      <UploadDropZone />
      <Card
        title={empty.ci}
        actions={
          <Link to="/o/$org/p/$project/tokens" params={params}>
            {empty.token}
          </Link>
        }
      >
        <CodeBlock label={empty.shell} text={uploadingCurl(scope)} copyLabel={empty.copy} />
      </Card>
    </Stack>
  );
}
