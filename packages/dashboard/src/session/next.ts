/** The path to open after a login. Only a path of this site is accepted; any other value leads to the start page. */
const safeNext = (next: string | undefined): string =>
  next && /^\/(?![/\\])/.test(next) && !next.startsWith('/login') ? next : '/';

/**
 * The navigation after a login. A path of the API is a page that the server renders, for example the page of an invitation. The router does
 * not know it, so the browser must load it.
 */
export function afterLogin(next: string | undefined): { readonly href: string; readonly reloadDocument: boolean } {
  const href = safeNext(next);
  return { href, reloadDocument: href.startsWith('/api/') };
}
