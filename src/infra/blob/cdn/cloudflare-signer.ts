import { createHmac } from 'node:crypto';
import { type CdnFile, type CdnSigner, encoded, overridesOf, secondsOf, uriOf } from './cdn-signer';

/**
 * Signs URLs that the function `is_timed_hmac_valid_v0` of Cloudflare's rules verifies (Cloudflare documentation, "Configure token
 * authentication" and "HMAC validation"): the HMAC of the path, the query and the time of issue, as the last parameter. The rule has the
 * lifetime. The other parameters are for a rule that sets the headers of the response (docs/cdn.md).
 */
export class CloudflareSigner implements CdnSigner {
  constructor(
    /** Without a slash at its end. */
    private readonly url: string,
    private readonly secret: string,
  ) {}

  urlOf({ key, headers, now }: CdnFile): string {
    const target = `${this.url}/${key}?${overridesOf(headers)}`;
    return `${target}&verify=${cloudflareToken(this.secret, uriOf(target), secondsOf(now))}`;
  }
}

/** @param uri path and query of the URL, before the parameter. */
export function cloudflareToken(secret: string, uri: string, issuedAt: number): string {
  const mac = createHmac('sha256', secret).update(`${uri}${issuedAt}`).digest('base64');
  return `${issuedAt}-${encoded(mac)}`;
}
