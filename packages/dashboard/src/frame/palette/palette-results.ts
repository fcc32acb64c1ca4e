import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { platformIcon } from '../../parts/builds/platform-icon';
import { versionOf } from '../../queries/project/builds';
import { searchQuery } from '../../queries/search';
import { type PaletteGroup } from '../../ui';
import { useWords } from '../../words/words-provider';
import { usePlace } from '../use-place';

const DEBOUNCE_MS = 150;

/** The service's search results in the organization for a query. */
export function usePaletteResults(query: string): { groups: readonly PaletteGroup[]; isSearching: boolean } {
  const { palette: words, builds } = useWords();
  const { organizationId: org = '' } = usePlace();
  const navigate = useNavigate();
  const sent = useDebounced(query);
  const search = useQuery(searchQuery(org, query === '' ? '' : sent));
  const found = query === '' ? undefined : search.data;
  const isSearching = query !== sent || search.isFetching;
  if (!found) return { groups: [], isSearching };
  const at = (project: string) => ({ org, project });
  const groups: readonly PaletteGroup[] = [
    {
      label: words.projects,
      items: found.projects.map(({ id, name }) => ({
        id,
        label: name,
        icon: 'overview',
        onSelect: () => void navigate({ to: '/o/$org/p/$project', params: at(id) }),
      })),
    },
    {
      label: words.builds,
      items: found.builds.map((build) => ({
        id: build.id,
        label: versionOf(build),
        detail: detailOf(build.project_name, builds.platforms[build.platform] ?? build.platform, build.branch),
        icon: platformIcon(build.platform),
        onSelect: () =>
          void navigate({
            to: '/o/$org/p/$project/builds/$build',
            params: { ...at(build.project_id), build: build.id },
          }),
      })),
    },
    {
      label: words.channels,
      items: found.channels.map(({ id, name, project_id, project_name }) => ({
        id,
        label: name,
        detail: project_name,
        icon: 'channel',
        onSelect: () =>
          void navigate({ to: '/o/$org/p/$project/channels/$channel', params: { ...at(project_id), channel: id } }),
      })),
    },
    {
      label: words.testers,
      items: found.testers.map(({ id, name, email, project_id, project_name }) => ({
        id,
        label: email,
        detail: detailOf(name, project_name),
        icon: 'user',
        onSelect: () =>
          void navigate({ to: '/o/$org/p/$project/testers/$tester', params: { ...at(project_id), tester: id } }),
      })),
    },
  ];
  return { groups, isSearching };
}

const detailOf = (...parts: readonly (string | null)[]): string => parts.filter(Boolean).join(' · ');

/** The text after typing has paused. */
function useDebounced(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
