import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';
import { UiWordsProvider } from '../ui/ui-words';
import { keepLanguage, type LanguageCode } from './language';
import { loadWords } from './load-words';
import { type Words } from './words';

interface Texts {
  readonly language: LanguageCode;
  readonly words: Words;
  readonly changeLanguage: (language: LanguageCode) => Promise<void>;
}

const TextsContext = createContext<Texts | null>(null);

/** Provides the texts of the current language to everything below it. */
export function WordsProvider({ initial, children }: { initial: Omit<Texts, 'changeLanguage'>; children: ReactNode }) {
  const [state, setState] = useState(initial);
  const texts = useMemo(
    () => ({
      ...state,
      changeLanguage: async (language: LanguageCode) => {
        const words = await loadWords(language);
        keepLanguage(language);
        setState({ language, words });
      },
    }),
    [state],
  );
  return (
    <TextsContext value={texts}>
      <UiWordsProvider value={state.words.ui}>{children}</UiWordsProvider>
    </TextsContext>
  );
}

/** The current language, its texts and the function that changes it. */
export function useTexts(): Texts {
  const texts = useContext(TextsContext);
  if (!texts) throw new Error('WordsProvider is missing.');
  return texts;
}

/** The texts of the current language. */
export const useWords = (): Words => useTexts().words;
