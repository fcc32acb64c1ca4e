import './ui/tokens.css';
import './ui/base.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { sessionQuery } from './queries/account/session';
import { queryClient } from './queries/client';
import { createDashboardRouter } from './router';
import { onSessionEnd } from './session/api';
import { reloadOnceOnMissingChunk } from './session/missing-chunk';
import { focusHeading, keepDrafts } from './ui';
import { currentLanguage } from './words/language';
import { loadWords } from './words/load-words';
import { WordsProvider } from './words/words-provider';

/** The time until an empty page shows that it is loading. */
const PLACEHOLDER_AFTER_MS = 1_000;

async function start(): Promise<void> {
  reloadOnceOnMissingChunk();
  const language = currentLanguage();
  document.documentElement.lang = language;
  const words = await loadWords(language);
  const router = createDashboardRouter(queryClient);
  // Search parameters change while the developer types in a filter, so only another path counts as another screen.
  router.subscribe('onResolved', ({ pathChanged, fromLocation }) => {
    if (pathChanged && fromLocation) focusHeading();
  });
  onSessionEnd(() => {
    keepDrafts();
    queryClient.setQueryData(sessionQuery.queryKey, { state: 'none', developer: null, organizations: [] });
    void router.navigate({ to: '/login', search: { next: router.state.location.href, ended: '1' } });
  });
  // A screen that follows a placeholder is shown up to 300 ms later, because React delays it.
  await Promise.race([router.load(), new Promise((resolve) => setTimeout(resolve, PLACEHOLDER_AFTER_MS))]);
  const element = document.getElementById('root');
  if (!element) throw new Error('The page has no element "root".');
  createRoot(element).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <WordsProvider initial={{ language, words }}>
          <RouterProvider router={router} />
        </WordsProvider>
      </QueryClientProvider>
    </StrictMode>,
  );
}

void start();
