import { useEffect } from 'react';

/** Sets the title of the document: what is shown, where, and the product. */
export function useTitle(...parts: readonly (string | null | undefined)[]): void {
  const title = [...parts.filter(Boolean), 'Agate'].join(' · ');
  useEffect(() => {
    document.title = title;
  }, [title]);
}
