import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { commitAddress } from '../../parts/builds/commit-address';
import { type Build, versionOf } from '../../queries/project/builds';
import { useProjectPlace } from '../../session/use-project-place';
import { AppIcon, Badge, classNames, type Column, ExternalLink, Identity, Table, Time, VisuallyHidden } from '../../ui';
import { useFormat } from '../../words/use-format';
import { useWords } from '../../words/words-provider';
import styles from './builds.module.css';
import { MiddleEllipsis } from './middle-ellipsis';
import { useNameOf } from './use-name-of';

export interface BuildsTableProps {
  readonly builds: readonly Build[];
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (selected: ReadonlySet<string>) => void;
  /** Older results stay visible while a filter loads. */
  readonly stale: boolean;
}

/** Builds, newest first, one line each: version, source, and channels. */
export function BuildsTable({ builds, selected, onSelect, stale }: BuildsTableProps) {
  const words = useWords().builds;
  const nameOf = useNameOf();
  const selection = useMemo(
    () => ({
      selected,
      onSelect,
      rowLabel: (build: Build) => words.select(nameOf(build)),
      allLabel: words.selectAll,
    }),
    [selected, onSelect, words, nameOf],
  );
  return (
    <Table
      compact
      label={words.heading}
      columns={useColumns()}
      rows={builds}
      rowKey={idOf}
      stale={stale}
      selection={selection}
    />
  );
}

const idOf = ({ id }: Build): string => id;

function useColumns(): readonly Column<Build>[] {
  const { builds: words, build } = useWords();
  const format = useFormat();
  return useMemo(() => {
    const { columns } = words;
    return [
      { id: 'build', label: columns.build, cell: (one) => <BuildName build={one} /> },
      { id: 'source', label: columns.source, cell: (one) => <Source build={one} /> },
      { id: 'channels', label: columns.channels, cell: (one) => <CurrentChannels build={one} /> },
      {
        id: 'uploaded',
        label: columns.uploaded,
        cell: ({ uploaded_at, uploaded_by: { label } }) => (
          <span className={styles.source} title={label ? words.by(label) : undefined}>
            <Time value={uploaded_at} />
            {label && <span className={classNames(styles.line, styles.soft)}>{words.by(label)}</span>}
          </span>
        ),
      },
      {
        id: 'downloads',
        label: columns.downloads,
        align: 'end',
        title: ({ downloads: { total, unique_testers: testers } }) =>
          testers > 0 ? `${format.plural(total, build.total)} ${format.plural(testers, build.testers)}` : undefined,
        cell: ({ downloads }) => format.number(downloads.total),
      },
      { id: 'size', label: columns.size, align: 'end', cell: ({ size_bytes }) => format.bytes(size_bytes) },
    ];
  }, [words, build, format]);
}

function BuildName({ build }: { build: Build }) {
  const words = useWords().builds;
  const { params } = useProjectPlace();
  const { id, app, icon_url, file_name, platform, signing } = build;
  return (
    <Identity className={styles.name}>
      <AppIcon name={app.name ?? file_name} src={icon_url} size={24} />
      <Link
        to="/o/$org/p/$project/builds/$build"
        params={{ ...params, build: id }}
        className={styles.version}
        title={versionOf(build)}
      >
        {versionOf(build)}
      </Link>
      <span className={styles.platform}>{words.platforms[platform] ?? platform}</span>
      {signing?.kind && <span className={styles.kind}>· {words.signing[signing.kind] ?? signing.kind}</span>}
      {build.pinned && (
        <span className={styles.badges} title={words.pinned}>
          <Badge icon="pin">
            <VisuallyHidden>{words.pinned}</VisuallyHidden>
          </Badge>
        </span>
      )}
      <Problem build={build} />
    </Identity>
  );
}

/** The worst problem of a build: why no device installs it, else how many warnings it has. */
function Problem({ build: { not_installable: reason, warnings } }: { build: Build }) {
  const words = useWords();
  const format = useFormat();
  if (!reason && warnings.length === 0) return null;
  return (
    <span className={styles.badges}>
      {reason ? (
        <Badge tone="problem" icon="problem">
          <VisuallyHidden>{words.build.notInstallable}: </VisuallyHidden>
          <span className={styles.line}>{words.build.warning.names[reason.code] ?? words.build.notInstallable}</span>
        </Badge>
      ) : (
        <Badge tone="warning" icon="warning">
          <span className={styles.line}>{format.plural(warnings.length, words.builds.warnings)}</span>
        </Badge>
      )}
    </span>
  );
}

function Source({ build: { source } }: { build: Build }) {
  const words = useWords().builds;
  const commit = source.commit?.slice(0, 7);
  const address = commitAddress(source);
  return (
    <span className={styles.source}>
      {source.branch && <MiddleEllipsis>{source.branch}</MiddleEllipsis>}
      {commit && address && (
        <ExternalLink href={address} hideIcon className={styles.commit}>
          {commit}
        </ExternalLink>
      )}
      {commit && !address && <span className={styles.commit}>{commit}</span>}
      {source.ci_url && (
        <ExternalLink href={source.ci_url} title={words.ci} className={styles.ci}>
          <VisuallyHidden>{words.ci}</VisuallyHidden>
        </ExternalLink>
      )}
    </span>
  );
}

function CurrentChannels({ build: { channels } }: { build: Build }) {
  const current = channels.filter((channel) => channel.current);
  if (current.length === 0) return null;
  return (
    <span className={styles.badges} title={current.map(({ name }) => name).join(', ')}>
      {current.map(({ id, name }) => (
        <Badge key={id} tone="success" dot="filled">
          <span className={styles.line}>{name}</span>
        </Badge>
      ))}
    </span>
  );
}
