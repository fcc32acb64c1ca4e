import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { platformIcon } from '../../parts/builds/platform-icon';
import { itemsOf } from '../../parts/lists/list-screen';
import { projectsQuery } from '../../queries/organization/projects';
import { versionOf } from '../../queries/project/builds';
import { useWords } from '../../words/words-provider';
import { usePlace } from '../use-place';
import { type FindableItem } from './palette-match';

const SHOWN = 5;

/** The newest builds of each project and platform of the organization, as the navigation has loaded them. */
export function useRecentBuilds(): readonly FindableItem[] {
  const { platforms } = useWords().builds;
  const navigate = useNavigate();
  const { organizationId: org = '' } = usePlace();
  const list = useInfiniteQuery({ ...projectsQuery(org), enabled: org !== '' });
  return itemsOf(list)
    .flatMap(({ id: project, name, summary }) =>
      (summary?.latest ?? []).map((latest) => ({ ...latest, project, name })),
    )
    .sort((one, other) => other.build.uploaded_at.localeCompare(one.build.uploaded_at))
    .slice(0, SHOWN)
    .map(({ project, name, platform, build }) => ({
      id: build.id,
      label: versionOf(build),
      detail: `${name} · ${platforms[platform] ?? platform}`,
      icon: platformIcon(platform),
      onSelect: () =>
        void navigate({ to: '/o/$org/p/$project/builds/$build', params: { org, project, build: build.id } }),
    }));
}
