let wanted = false;

const focusable = (): HTMLElement | null => {
  const headings = document.querySelectorAll<HTMLElement>('h1[tabindex]');
  return headings[headings.length - 1] ?? null;
};

/** Focuses the page's heading, or the next one that appears. The frame calls it after each navigation. */
export function focusHeading(): void {
  const heading = focusable();
  wanted = heading === null;
  heading?.focus();
}

/** Called by a heading that has appeared. */
export function headingAppeared(heading: HTMLElement): void {
  if (!wanted) return;
  wanted = false;
  heading.focus();
}

const isLost = (): boolean => document.activeElement === null || document.activeElement === document.body;

/** Returns a lost focus to an element, or to the heading when the element no longer exists. */
export function returnFocus(element: Element | null): void {
  if (isLost() && element instanceof HTMLElement) element.focus();
  if (isLost()) focusable()?.focus();
}
