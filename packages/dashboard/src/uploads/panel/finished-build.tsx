import { Link } from '@tanstack/react-router';
import { Badge, buttonClass, CopyButton, Inline } from '../../ui';
import { useFormat } from '../../words/use-format';
import { useWords } from '../../words/words-provider';
import { type UploadedBuild, type UploadItem } from '../store/upload-item';
import s from './panel.module.css';

/** The build that the upload has become. */
export function FinishedBuild({ item, build }: { readonly item: UploadItem; readonly build: UploadedBuild }) {
  const words = useWords().uploads;
  const format = useFormat();
  const version = build.build_number === null ? build.version : `${build.version} (${build.build_number})`;
  const params = { org: item.target.organizationId, project: item.target.projectId, build: build.id };
  return (
    <>
      <p className={s.figures}>
        <span role="status">{words.uploaded(version)}</span>
        {build.warnings.length > 0 && (
          <Badge tone="warning" icon="warning">
            {format.plural(build.warnings.length, words.warnings)}
          </Badge>
        )}
      </p>
      <Inline>
        <Link to="/o/$org/p/$project/builds/$build" params={params} className={buttonClass('primary')}>
          {words.openBuild}
        </Link>
        {build.install_url !== null && <CopyButton label={words.copyLink} value={build.install_url} />}
      </Inline>
    </>
  );
}
