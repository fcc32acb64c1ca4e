/** No inline script or style, nothing from elsewhere: what is shown was written by us (reliability K5). */
const PAGE_CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
].join('; ');

/**
 * Headers of every page: its path may hold a credential, so it is not referred, indexed, stored or framed. A function
 * and not a constant, so that no caller can change another's headers.
 * @param framedBy the origins that may frame it after all; `X-Frame-Options` cannot name them and is left out then.
 */
export function pageHeaders(framedBy: readonly string[] = []): Record<string, string> {
  const ancestors = framedBy.length > 0 ? framedBy.join(' ') : "'none'";
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': `${PAGE_CONTENT_SECURITY_POLICY}; frame-ancestors ${ancestors}`,
    ...(framedBy.length === 0 && { 'X-Frame-Options': 'DENY' }),
    'Referrer-Policy': 'no-referrer',
    'X-Robots-Tag': 'noindex, nofollow',
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
    Vary: 'Accept-Language, User-Agent',
  };
}
