/** The path to open after a login. Only a path of this site is taken; anything else leads to the start page. */
export const safeNext = (next: string | undefined): string =>
  next && /^\/(?![/\\])/.test(next) && !next.startsWith('/login') ? next : '/';
