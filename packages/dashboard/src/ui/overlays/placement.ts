const MARGIN = 8;
const GAP = 4;

export interface Placement {
  readonly side?: 'above' | 'below';
  readonly align?: 'start' | 'center' | 'end';
}

/** Puts a fixed element beside its anchor: on the other side if there is no room, and never outside of the window. */
export function placeBeside(anchor: Element, floating: HTMLElement, { side = 'below', align = 'start' }: Placement) {
  const from = anchor.getBoundingClientRect();
  const { width, height } = floating.getBoundingClientRect();
  const { clientWidth, clientHeight } = document.documentElement;
  const below = from.bottom + GAP;
  const above = from.top - GAP - height;
  const roomBelow = below + height <= clientHeight - MARGIN;
  const goesBelow = side === 'below' ? roomBelow || above < MARGIN : above < MARGIN && roomBelow;
  const left = { start: from.left, center: from.left + (from.width - width) / 2, end: from.right - width }[align];
  floating.style.left = `${Math.max(MARGIN, Math.min(left, clientWidth - MARGIN - width))}px`;
  floating.style.top = `${Math.max(MARGIN, Math.min(goesBelow ? below : above, clientHeight - MARGIN - height))}px`;
}
