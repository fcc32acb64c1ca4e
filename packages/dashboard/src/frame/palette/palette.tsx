import { useState } from 'react';
import { Palette } from '../../ui';
import { useFormat } from '../../words/use-format';
import { useWords } from '../../words/words-provider';
import { usePaletteActs } from './palette-acts';
import { matching, ranked, scoreOf } from './palette-match';
import { usePaletteMembers } from './palette-members';
import { useRecentBuilds } from './palette-recent';
import { usePaletteResults } from './palette-results';
import { usePaletteScreens } from './palette-screens';
import { isSecret, searchableText } from './palette-token';
import { usePaletteTokens } from './palette-tokens';

export interface FramePaletteProps {
  readonly onClose: () => void;
  readonly onUpload: () => void;
  readonly onHelp: () => void;
}

/** Finds builds, actions, screens, projects, channels, testers, members and tokens by their names. */
export function FramePalette({ onClose, onUpload, onHelp }: FramePaletteProps) {
  const { palette: words, frame } = useWords();
  const format = useFormat();
  const [query, setQuery] = useState('');
  const { groups, isSearching } = useGroups(query, { onUpload, onHelp });
  const count = groups.reduce((sum, { items }) => sum + items.length, 0);
  const nothing = isSecret(query) ? words.unknownToken : words.empty;
  return (
    <Palette
      label={frame.search}
      onClose={onClose}
      query={query}
      onQuery={setQuery}
      groups={groups}
      resultsLabel={words.results}
      emptyText={isSearching ? frame.loading : nothing}
      status={format.plural(count, words.count)}
      footer={words.hint}
    />
  );
}

type Handlers = Pick<FramePaletteProps, 'onUpload' | 'onHelp'>;

/** Builds, then actions, then screens; once something is typed, the group with the best match first. */
function useGroups(query: string, handlers: Handlers) {
  const { palette: words } = useWords();
  const sent = searchableText(query);
  const recent = matching(useRecentBuilds(), query);
  const acts = usePaletteActs(handlers);
  const screens = usePaletteScreens(query);
  const members = usePaletteMembers(sent);
  const tokens = usePaletteTokens(query);
  const found = usePaletteResults(sent);
  const shown = new Set(recent.map(({ id }) => id));
  const own = [
    { label: words.recent, items: recent },
    { label: words.acts, items: matching(acts, query) },
    { label: words.screens, items: matching(screens, query) },
  ];
  if (query.trim() === '') return { groups: own, isSearching: false };
  const best = ({ items }: (typeof own)[number]): number => (items[0] ? scoreOf(items[0], query) : 0);
  const others = found.groups.map(({ label, items }) => ({
    label,
    items: ranked(
      items.filter(({ id }) => !shown.has(id)),
      query,
    ),
  }));
  const groups = [
    { label: words.tokens, items: tokens.items },
    ...[...own, ...others, { label: words.members, items: matching(members.items, query) }].sort(
      (one, other) => best(other) - best(one),
    ),
  ];
  return { groups, isSearching: found.isSearching || members.isLoading || tokens.isLoading };
}
