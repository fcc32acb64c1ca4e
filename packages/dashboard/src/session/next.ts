/** Only its origin counts, which no address that a person can open has. */
const BASE = 'https://this-site.invalid';

/**
 * The path to open after a login. Only a path of this site is accepted, as the browser reads it: it drops tabs and line breaks, and reads
 * `\\` as `/`. Any other value leads to the start page.
 */
export function safeNext(next: string | undefined): string {
  if (!next?.startsWith('/') || !URL.canParse(next, BASE)) return '/';
  const { origin, pathname, search, hash } = new URL(next, BASE);
  const isPath = origin === BASE && !pathname.startsWith('//') && !pathname.startsWith('/login');
  return isPath ? pathname + search + hash : '/';
}

/**
 * The navigation after a login. A path of the API is a page that the server renders, for example the page of an invitation. The router does
 * not know it, so the browser must load it.
 */
export function afterLogin(next: string | undefined): { readonly href: string; readonly reloadDocument: boolean } {
  const href = safeNext(next);
  return { href, reloadDocument: href.startsWith('/api/') };
}
