import { type ListedProjectResponse, type ProjectSummaryResponse } from '@agate/client';
import { Link } from '@tanstack/react-router';
import { versionOf } from '../../queries/project/builds';
import { AppIcon, type Column, Identity, Sparkline, Table, Time } from '../../ui';
import { useFormat } from '../../words/use-format';
import { useWords } from '../../words/words-provider';
import styles from './projects.module.css';

type Project = ListedProjectResponse;

/** The number of channels that are shown at first. */
const SHOWN_CHANNELS = 2;

export interface ProjectsTableProps {
  readonly projects: readonly Project[];
  /** Older results stay visible while a search loads. */
  readonly stale: boolean;
}

/** Projects, newest first: the newest version of each platform, the number of testers, and the latest change. */
export function ProjectsTable({ projects, stale }: ProjectsTableProps) {
  return (
    <div className={styles.list}>
      <Table
        label={useWords().projects.heading}
        columns={useColumns()}
        rows={projects}
        rowKey={({ id }) => id}
        stale={stale}
      />
    </div>
  );
}

function useColumns(): readonly Column<Project>[] {
  const { columns } = useWords().projects;
  const format = useFormat();
  return [
    {
      id: 'project',
      label: columns.project,
      cell: (project) => <ProjectName project={project} />,
    },
    { id: 'latest', label: columns.latest, width: 12, cell: ({ summary }) => summary && <Latest summary={summary} /> },
    { id: 'channels', label: columns.channels, cell: (project) => <Channels project={project} /> },
    {
      id: 'testers',
      label: columns.testers,
      align: 'end',
      width: 4,
      cell: ({ summary }) => summary && <span>{format.number(summary.counts.testers)}</span>,
    },
    {
      id: 'downloads',
      label: columns.downloads,
      width: 8,
      cell: ({ summary }) => summary && <Downloads values={summary.downloads_14d} />,
    },
    {
      id: 'activity',
      label: columns.activity,
      width: 8,
      cell: ({ summary }) => summary && <Time value={summary.last_activity_at} />,
    },
  ];
}

function ProjectName({ project: { id, organization_id, name, icon_url } }: { project: Project }) {
  return (
    <Identity>
      <AppIcon name={name} src={icon_url} size={40} />
      <Link to="/o/$org/p/$project" params={{ org: organization_id, project: id }} className={styles.name} title={name}>
        {name}
      </Link>
    </Identity>
  );
}

function Latest({ summary: { latest } }: { summary: ProjectSummaryResponse }) {
  const words = useWords();
  if (latest.length === 0) return <span className="soft">{words.projects.noBuilds}</span>;
  return (
    <span className={styles.latest}>
      {latest.map(({ platform, build }) => (
        <span key={platform}>
          <span className="soft">{words.builds.platforms[platform] ?? platform}</span> {versionOf(build)}
        </span>
      ))}
    </span>
  );
}

/** The current builds of the first channels, and the number of further channels. */
function Channels({ project: { id, organization_id, summary } }: { project: Project }) {
  const words = useWords();
  const format = useFormat();
  if (!summary) return null;
  const channels = [...new Set(summary.current.map(({ channel_id }) => channel_id))];
  if (channels.length === 0) {
    return summary.counts.channels > 0 && <span className="soft">{words.projects.nothingCurrent}</span>;
  }
  const shown = channels.slice(0, SHOWN_CHANNELS).map((channel) => ({
    channel,
    current: summary.current.filter(({ channel_id }) => channel_id === channel),
  }));
  const rest = summary.counts.channels - shown.length;
  return (
    <ul className={styles.channels}>
      {shown.map(({ channel, current }) => (
        <li key={channel} title={`${current[0]?.channel_name} ${[...new Set(current.map(versionOf))].join(', ')}`}>
          <Link to="/o/$org/p/$project/channels/$channel" params={{ org: organization_id, project: id, channel }}>
            {current[0]?.channel_name}
          </Link>{' '}
          {[...new Set(current.map(versionOf))].join(', ')}
        </li>
      ))}
      {rest > 0 && <li className="soft">{format.plural(rest, words.projects.moreChannels)}</li>}
    </ul>
  );
}

function Downloads({ values }: { values: readonly number[] }) {
  const words = useWords().projects;
  const format = useFormat();
  const total = values.reduce((sum, value) => sum + value, 0);
  if (total === 0) return <span className="soft">{format.number(0)}</span>;
  return (
    <span className={styles.downloads}>
      <span aria-hidden="true">{format.number(total)}</span>
      <Sparkline label={format.plural(total, words.downloads)} values={values} />
    </span>
  );
}
