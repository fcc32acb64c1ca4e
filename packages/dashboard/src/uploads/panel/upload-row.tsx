import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { memo, useId } from 'react';
import { projectQuery } from '../../queries/organization/projects';
import { versionOf } from '../../queries/project/builds';
import { Badge, Button, buttonClass, CopyButton, Icon, type IconName, Inline, Progress } from '../../ui';
import { useFormat } from '../../words/use-format';
import { useWords } from '../../words/words-provider';
import { scopeOf, type UploadedBuild, type UploadItem } from '../store/upload-item';
import { BuildFields } from './build-fields';
import { FileDetails } from './file-details';
import s from './panel.module.css';
import { Refusal } from './refusal';
import { RowButtons } from './row-buttons';

export interface UploadRowProps {
  readonly item: UploadItem;
  /** Called after the row was removed. */
  readonly onRemoved: () => void;
}

const ICONS: Partial<Record<UploadItem['state'], IconName>> = { done: 'success', failed: 'problem' };

const NOT_ON_ITS_WAY: readonly UploadItem['state'][] = ['details', 'failed', 'done'];

/** One upload: its progress, its actions, and the reader's fields for the build. */
export const UploadRow = memo(function UploadRow({ item, onRemoved }: UploadRowProps) {
  const { data: project } = useQuery({ ...projectQuery(scopeOf(item.target)), refetchInterval: false });
  const words = useWords().uploads;
  const nameId = useId();
  const form = useId();
  const { file, state } = item;
  return (
    <li className={s.row}>
      <div role="group" aria-labelledby={nameId} className={s.rowBody}>
        <div className={s.rowHead}>
          <Icon name={ICONS[state] ?? 'file'} className={s[state]} />
          <div className={s.names}>
            <span id={nameId} className={s.name} title={file.name}>
              {file.name}
            </span>
            <span className={s.place}>{project?.name}</span>
          </div>
          <RowButtons item={item} onRemoved={onRemoved} />
        </div>
        {!NOT_ON_ITS_WAY.includes(state) && <HowFar item={item} />}
        {state === 'failed' && <Refusal item={item} />}
        {(state === 'details' || (state === 'failed' && item.edits.version !== '')) && (
          <FileDetails item={item} form={form} />
        )}
        {item.build && <FinishedBuild item={item} build={item.build} />}
        {state !== 'failed' && <BuildFields item={item} />}
        {state === 'details' && (
          <Button variant="primary" type="submit" form={form} icon="upload">
            {words.start}
          </Button>
        )}
      </div>
    </li>
  );
});

function HowFar({ item }: { readonly item: UploadItem }) {
  const words = useWords().uploads;
  const format = useFormat();
  const { file, sentBytes, state, bytesPerSecond: speed } = item;
  const share = file.size === 0 ? 0 : sentBytes / file.size;
  const status = {
    ...NO_STATUS,
    waiting: words.starting,
    paused: words.paused,
    offline: words.offline,
    reading: words.reading,
  }[state];
  return (
    <>
      <Progress label={file.name} hideLabel value={share} text={format.percent(share)} />
      <p className={s.figures}>
        <span role="status">{status}</span>
        <span>{words.sent(format.bytes(sentBytes), format.bytes(file.size))}</span>
        {speed !== null && speed > 0 && (
          <span>{words.speed(format.bytes(speed), format.duration((file.size - sentBytes) / speed))}</span>
        )}
        <span className={s.percent}>{format.percent(share)}</span>
      </p>
    </>
  );
}

const NO_STATUS: Record<UploadItem['state'], string> = {
  details: '',
  waiting: '',
  sending: '',
  paused: '',
  offline: '',
  reading: '',
  done: '',
  failed: '',
  discarded: '',
};

/** The build that the upload has become. */
function FinishedBuild({ item, build }: { readonly item: UploadItem; readonly build: UploadedBuild }) {
  const words = useWords().uploads;
  const format = useFormat();
  const params = { org: item.target.organizationId, project: item.target.projectId, build: build.id };
  return (
    <>
      <p className={s.figures}>
        <span role="status">{words.uploaded(versionOf(build))}</span>
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
