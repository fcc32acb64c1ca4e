/** Codes of Node for certificates that it rejects. A retry would get the same certificate. */
const CERTIFICATE_CODES =
  /^(CERT_|UNABLE_TO_(GET_ISSUER_CERT|VERIFY_LEAF_SIGNATURE)|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT|ERR_TLS_CERT_ALTNAME)/;

/** The cause of Node's error `fetch failed`. */
function rootOf(error: unknown): Error | null {
  if (!(error instanceof Error)) return null;
  return rootOf(error.cause) ?? error;
}

/** The reason why there was no response, for example `ECONNREFUSED: connect ECONNREFUSED 127.0.0.1:9`. Null when it is unknown. */
export function connectionErrorOf(error: unknown): string | null {
  const root = rootOf(error);
  if (!root) return null;
  // A host with several addresses causes an AggregateError without a message.
  const [first] = root instanceof AggregateError ? (root.errors as Error[]) : [root];
  const { code, message } = (first ?? root) as NodeJS.ErrnoException;
  return code === undefined || message.includes(code) ? message || null : `${code}: ${message}`;
}

export function isCertificateError(error: unknown): boolean {
  const { code } = (rootOf(error) ?? {}) as NodeJS.ErrnoException;
  return typeof code === 'string' && CERTIFICATE_CODES.test(code);
}
