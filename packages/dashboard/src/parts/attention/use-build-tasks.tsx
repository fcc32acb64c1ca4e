import { type ListedProjectResponse } from '@agate/client';
import { Link } from '@tanstack/react-router';
import { versionOf } from '../../queries/project/builds';
import { useFormat } from '../../words/use-format';
import { useWords } from '../../words/words-provider';
import { type AttentionItem } from './attention-card';
import { blockedBuilds } from './blocked-builds';

/** What expires within these days is as urgent as what has expired: a build needs days to reach all testers. */
const SOON_DAYS = 7;

type Project = Pick<ListedProjectResponse, 'id' | 'organization_id' | 'name' | 'summary'>;

/** Builds of projects that testers get but devices do not install, or whose provisioning profile or certificate expires soon. */
export function useBuildTasks(projects: readonly Project[]): readonly AttentionItem[] {
  const words = useWords().builds;
  const format = useFormat();
  return projects.flatMap(({ id: project, organization_id: org, name, summary }) => {
    if (!summary) return [];
    const task = (build: string, text: string, tone: AttentionItem['tone']): AttentionItem => ({
      id: build,
      text,
      link: (
        <Link to="/o/$org/p/$project/builds/$build" params={{ org, project, build }}>
          {words.attention.build}
        </Link>
      ),
      tone,
    });
    const expiring = summary.signing_ends.map(({ build_id, what, days_left: days, ...build }) => {
      const title = `${name} ${versionOf(build)}`;
      const { expired, expires, inDays } = words.attention;
      const text = days === 0 ? expired[what](title) : expires[what](title, format.plural(days, inDays));
      return task(build_id, text, days > SOON_DAYS ? 'warning' : 'problem');
    });
    const blocked = blockedBuilds(summary)
      // The reason is in the list already.
      .filter(({ build_id }) => !expiring.some(({ id }) => id === build_id))
      .map(({ build_id, platform, channels, ...build }) => {
        const title = `${name} ${versionOf(build)} (${words.platforms[platform] ?? platform})`;
        return task(build_id, words.attention.blocked(title, format.list(channels)), 'problem');
      });
    return [...blocked, ...expiring];
  });
}
