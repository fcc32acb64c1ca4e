import { type ListedProjectResponse } from '@agate/client';
import { Link } from '@tanstack/react-router';
import { versionOf } from '../../queries/project/builds';
import { useNow } from '../../ui';
import { useFormat } from '../../words/use-format';
import { useWords } from '../../words/words-provider';
import { type AttentionItem } from './attention-card';
import { expiringBuilds } from './expiring-builds';

type Project = Pick<ListedProjectResponse, 'id' | 'organization_id' | 'name' | 'summary'>;

/** Builds of projects whose provisioning profile or certificate expires soon, or has expired. */
export function useExpiringBuilds(projects: readonly Project[]): readonly AttentionItem[] {
  const words = useWords().builds.attention;
  const format = useFormat();
  const now = useNow();
  return projects.flatMap(({ id, organization_id, name, summary }) =>
    (summary ? expiringBuilds(summary, now) : []).map((build) => {
      const title = `${name} ${versionOf(build)}`;
      return {
        id: build.id,
        text: build.days === 0 ? words.expired(title) : words.expires(title, format.plural(build.days, words.inDays)),
        link: (
          <Link to="/o/$org/p/$project/builds/$build" params={{ org: organization_id, project: id, build: build.id }}>
            {words.build}
          </Link>
        ),
        isUrgent: true,
      };
    }),
  );
}
