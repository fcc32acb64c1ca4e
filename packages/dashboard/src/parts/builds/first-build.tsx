import { Card } from '../../ui';
import { UploadDropZone } from '../../uploads';
import { useWords } from '../../words/words-provider';
import { CiSnippet } from '../ci/ci-snippet';

export interface FirstBuildProps {
  readonly organizationId: string;
  readonly projectId: string;
}

/** The two ways in which a project gets its first build: a dropped file, or a CI system. */
export function FirstBuild(props: FirstBuildProps) {
  const words = useWords().project.firstBuild;
  return (
    <>
      <Card title={words.heading}>
        <UploadDropZone target={props} />
        <p className="soft">{words.text}</p>
      </Card>
      <Card title={words.ci}>
        <CiSnippet {...props} />
      </Card>
    </>
  );
}
