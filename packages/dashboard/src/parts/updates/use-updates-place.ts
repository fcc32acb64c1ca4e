import { useNavigate, useSearch } from '@tanstack/react-router';

/** The place where the lowest supported versions are shown. */
export const SUPPORTED_VERSIONS = 'versions';

export interface UpdatesPlace {
  /** `keys` while the update keys are shown, `new` while one is created, the id of the key whose code is shown; or another section. */
  readonly updates?: string;
  /** The framework of the code. */
  readonly framework?: string;
}

/** The open section about updates, from the address, and a function that changes it. */
export function useUpdatesPlace(): readonly [UpdatesPlace, (place: UpdatesPlace) => void] {
  const { updates, framework } = useSearch({ strict: false });
  const navigate = useNavigate();
  const go = (search: UpdatesPlace): void => void navigate({ to: '.', search, replace: true, resetScroll: false });
  return [{ updates, framework }, go];
}
