import { useState } from 'react';
import { drafts } from '../../parts/drafts';
import { type Retention } from '../../queries/project/retention';
import { type Draft, draftOf, isSame, parseDraft } from './draft';

export interface UseDraft {
  readonly draft: Draft;
  /** Whether it differs from what the service has. */
  readonly isEdited: boolean;
  readonly change: (draft: Draft) => void;
  /** Forgets what was typed: it was saved, or its author does not want it. */
  readonly reset: () => void;
}

/** The rules that are typed for a project. They survive a failed save, a reload and the end of the session in this tab. */
export function useDraft(projectId: string, stored: Retention): UseDraft {
  const key = `retention:${projectId}`;
  const [typed, setTyped] = useState(() => parseDraft(drafts.read(key)));
  const ofService = draftOf(stored);
  const draft = typed ?? ofService;
  return {
    draft,
    isEdited: !isSame(draft, ofService),
    change: (next) => {
      drafts.keep(key, JSON.stringify(next));
      setTyped(next);
    },
    reset: () => {
      drafts.forget(key);
      setTyped(null);
    },
  };
}
