import { useState } from 'react';
import { Palette } from '../../ui';
import { useFormat } from '../../words/use-format';
import { useWords } from '../../words/words-provider';
import { usePaletteActs } from './palette-acts';
import { matching } from './palette-match';
import { usePaletteResults } from './palette-results';
import { usePaletteScreens } from './palette-screens';

export interface FramePaletteProps {
  readonly onClose: () => void;
  readonly onUpload: () => void;
  readonly onHelp: () => void;
}

/** Finds screens, projects, builds, channels, testers and actions by their names. */
export function FramePalette({ onClose, onUpload, onHelp }: FramePaletteProps) {
  const { palette: words, frame } = useWords();
  const format = useFormat();
  const [query, setQuery] = useState('');
  const screens = usePaletteScreens();
  const acts = usePaletteActs({ onUpload, onHelp });
  const { groups: found, isSearching } = usePaletteResults(query.trim());
  const groups = [
    { label: words.screens, items: matching(screens, query) },
    ...found,
    { label: words.acts, items: matching(acts, query) },
  ];
  const count = groups.reduce((sum, { items }) => sum + items.length, 0);
  return (
    <Palette
      label={frame.search}
      onClose={onClose}
      query={query}
      onQuery={setQuery}
      groups={groups}
      resultsLabel={words.results}
      emptyText={isSearching ? frame.loading : words.empty}
      status={format.plural(count, words.count)}
      footer={words.hint}
    />
  );
}
