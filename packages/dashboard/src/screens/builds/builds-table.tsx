import { Link } from '@tanstack/react-router';
import { type Build, versionOf } from '../../queries/project/builds';
import { useProjectPlace } from '../../session/use-project-place';
import { AppIcon, Badge, type Column, ExternalLink, Identity, Lines, Table, Time } from '../../ui';
import { useFormat } from '../../words/use-format';
import { useWords } from '../../words/words-provider';
import styles from './builds.module.css';

export interface BuildsTableProps {
  readonly builds: readonly Build[];
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (selected: ReadonlySet<string>) => void;
  /** Older results stay visible while a filter loads. */
  readonly stale: boolean;
}

/** Builds, newest first: version, source, and channels. */
export function BuildsTable({ builds, selected, onSelect, stale }: BuildsTableProps) {
  const words = useWords().builds;
  const columns = useColumns();
  return (
    <Table
      label={words.heading}
      columns={columns}
      rows={builds}
      rowKey={({ id }) => id}
      stale={stale}
      selection={{
        selected,
        onSelect,
        rowLabel: (build) => words.select(versionOf(build)),
        allLabel: words.selectAll,
      }}
    />
  );
}

function useColumns(): readonly Column<Build>[] {
  const { columns, ...words } = useWords().builds;
  const format = useFormat();
  return [
    { id: 'build', label: columns.build, cell: (build) => <BuildName build={build} /> },
    { id: 'source', label: columns.source, cell: (build) => <Source build={build} /> },
    {
      id: 'uploaded',
      label: columns.uploaded,
      cell: ({ uploaded_at, uploaded_by, channels }) => (
        <Lines>
          <span>
            <Time value={uploaded_at} />{' '}
            {uploaded_by.label && <span className={styles.soft}>{words.by(uploaded_by.label)}</span>}
          </span>
          {channels.some(({ current }) => current) && (
            <span className={styles.badges}>
              {channels
                .filter(({ current }) => current)
                .map(({ id, name }) => (
                  <Badge key={id} tone="success" dot="filled">
                    {name}
                  </Badge>
                ))}
            </span>
          )}
        </Lines>
      ),
    },
    {
      id: 'downloads',
      label: columns.downloads,
      align: 'end',
      width: 'narrow',
      cell: ({ downloads }) =>
        downloads.unique_testers > 0
          ? `${format.number(downloads.total)} (${format.number(downloads.unique_testers)})`
          : format.number(downloads.total),
    },
    {
      id: 'size',
      label: columns.size,
      align: 'end',
      width: 'narrow',
      cell: ({ size_bytes }) => format.bytes(size_bytes),
    },
  ];
}

function BuildName({ build }: { build: Build }) {
  const words = useWords().builds;
  const format = useFormat();
  const { params } = useProjectPlace();
  const { id, app, icon_url, file_name, platform, signing, installable, warnings } = build;
  return (
    <Identity>
      <AppIcon name={app.name ?? file_name} src={icon_url} size={32} />
      <Lines>
        <Link to="/o/$org/p/$project/builds/$build" params={{ ...params, build: id }} className={styles.version}>
          {versionOf(build)}
        </Link>
        <span className={styles.badges}>
          <span className={styles.soft}>
            {words.platforms[platform] ?? platform}
            {signing?.kind && ` · ${words.signing[signing.kind] ?? signing.kind}`}
          </span>
          {!installable && <Badge>{words.notInstallable}</Badge>}
          {warnings.length > 0 && (
            <Badge tone="warning" icon="warning">
              {format.plural(warnings.length, words.warnings)}
            </Badge>
          )}
        </span>
      </Lines>
    </Identity>
  );
}

function Source({ build: { source } }: { build: Build }) {
  const words = useWords().builds;
  const commit = source.commit?.slice(0, 7);
  return (
    <Lines>
      {source.branch && <span className={styles.mono}>{source.branch}</span>}
      {(commit || source.ci_url) && (
        <span className={styles.commit}>
          {commit && <span className={styles.mono}>{commit} </span>}
          {source.ci_url && <ExternalLink href={source.ci_url}>{words.ci}</ExternalLink>}
        </span>
      )}
    </Lines>
  );
}
