import { useEffect } from 'react';

/** Sets the title of the document: the screen, the project or organization, and the product. */
export function useTitle(...parts: readonly (string | null | undefined)[]): void {
  const title = [...parts.filter(Boolean), 'Agate'].join(' · ');
  useEffect(() => {
    document.title = title;
  }, [title]);
}
