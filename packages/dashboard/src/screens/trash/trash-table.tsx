import { useQuery } from '@tanstack/react-query';
import { projectQuery } from '../../queries/organization/projects';
import { type Build, versionOf } from '../../queries/project/builds';
import { useProjectPlace } from '../../session/use-project-place';
import { AppIcon, type Column, Identity, Table, Time } from '../../ui';
import { useFormat } from '../../words/use-format';
import { useWords } from '../../words/words-provider';
import styles from './trash.module.css';
import { TrashMenu } from './trash-acts';
import { useDeletedBy } from './use-deleted-by';

interface TrashTableProps {
  readonly builds: readonly Build[];
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (selected: ReadonlySet<string>) => void;
}

export function TrashTable({ builds, selected, onSelect }: TrashTableProps) {
  const words = useWords().trash;
  return (
    <Table
      brief
      label={words.heading}
      columns={useColumns()}
      rows={builds}
      rowKey={({ id }) => id}
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
  const {
    trash: { columns, by },
    builds: { platforms },
  } = useWords();
  const format = useFormat();
  const deletedBy = useDeletedBy();
  const { scope } = useProjectPlace();
  // The service serves no icons of deleted builds.
  const { data: project } = useQuery(projectQuery(scope));
  return [
    {
      id: 'build',
      label: columns.build,
      cell: ({ app, file_name, platform, ...build }) => (
        <Identity className={styles.build}>
          <AppIcon name={app.name ?? file_name} src={project?.icon_url} size={24} />
          <span className={styles.version} title={versionOf(build)}>
            {versionOf(build)}
          </span>
          <span className="soft">{platforms[platform] ?? platform}</span>
        </Identity>
      ),
    },
    {
      id: 'branch',
      label: columns.branch,
      plain: true,
      title: ({ source }) => source.branch,
      cell: ({ source }) => source.branch && <span className={styles.branch}>{source.branch}</span>,
    },
    {
      id: 'deleted',
      label: columns.deleted,
      width: 12,
      cell: ({ id, deleted_at }) => {
        const name = deletedBy(id);
        return (
          <span className={styles.deleted} title={name?.text}>
            {deleted_at && <Time value={deleted_at} />}{' '}
            {name && <span className={styles.by}>{name.isRule ? name.text : by(name.text)}</span>}
          </span>
        );
      },
    },
    {
      id: 'frees',
      label: columns.frees,
      width: 10,
      cell: ({ frees_bytes_at }) =>
        frees_bytes_at && <time dateTime={frees_bytes_at}>{format.dateTime(new Date(frees_bytes_at))}</time>,
    },
    { id: 'size', label: columns.size, width: 6, align: 'end', cell: ({ size_bytes }) => format.bytes(size_bytes) },
    {
      id: 'actions',
      label: columns.actions,
      hideLabel: true,
      width: 4,
      align: 'end',
      cell: (build) => <TrashMenu build={build} />,
    },
  ];
}
