/** Calls the function when the browser has nothing else to do. Safari cannot tell: there it is called after a second. */
export function whenIdle(call: () => void): void {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(call, { timeout: 2_000 });
  else setTimeout(call, 1_000);
}
