import { isIP } from 'node:net';
import { isLocalHost } from '#infra/config/problems/production-problems';

export interface SmtpServerOptions {
  /** `MAIL_URL`: `smtp://user:password@host:587` or `smtps://…`; its query sets options of nodemailer. */
  readonly url: string;
  /** `BASE_URL`. The mail server sees its host as the name of this client. */
  readonly baseUrl: string;
  readonly isProduction: boolean;
}

/**
 * The options of nodemailer for a mail server.
 *
 * TLS is required to another host in production, and outside production if the URL has credentials, unless it says `ignoreTLS=true`:
 * otherwise a machine between could remove STARTTLS from the server's response and read passwords and links.
 */
export function smtpOptions({ url, baseUrl, isProduction }: SmtpServerOptions): {
  readonly url: string;
  readonly name: string;
} {
  const server = new URL(url);
  const { protocol, hostname, username, searchParams } = server;
  const mayBePlain = protocol === 'smtps:' || isLocalHost(hostname) || searchParams.get('ignoreTLS') === 'true';
  if (!mayBePlain && (isProduction || username !== '')) searchParams.set('requireTLS', 'true');
  return { url: server.href, name: clientNameOf(new URL(baseUrl).hostname) };
}

/** The name in EHLO (RFC 5321, section 4.1.3): an address is put in brackets, as URLs do for IPv6. */
function clientNameOf(hostname: string): string {
  const address = hostname.replace(/^\[|\]$/g, '');
  if (isIP(address) === 0) return hostname;
  return isIP(address) === 6 ? `[IPv6:${address}]` : `[${address}]`;
}

const UNTRUSTED_CERTIFICATES = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
]);

const TRUST_CERTIFICATE =
  'The certificate of the mail server is self-signed, or of an authority that is not known here. Name a file with the certificate ' +
  'of the authority in NODE_EXTRA_CA_CERTS, for every command and start; or add tls.rejectUnauthorized=false to the query of ' +
  'MAIL_URL, which encrypts but trusts every server';
const OTHER_NAME =
  'The certificate of the mail server is for another host name. Use that name in MAIL_URL, or add tls.servername=NAME to its query';
const NO_STARTTLS =
  'The mail server does not offer TLS (STARTTLS), which is required to another host. Use smtps:// or the submission port of the ' +
  'server, or add ignoreTLS=true to the query of MAIL_URL if only trusted machines can read the network';
const LOGIN_REFUSED = 'The mail server rejects the login. Check the user and the password in MAIL_URL';

/** What an operator can do about an error of a mail server, null when nothing is known. */
export function adviceOn(error: unknown): string | null {
  const { code, originalCode, command } = error as {
    readonly code?: string;
    readonly originalCode?: string;
    readonly command?: string;
  };
  const reason = originalCode ?? code ?? '';
  if (UNTRUSTED_CERTIFICATES.has(reason)) return TRUST_CERTIFICATE;
  if (reason === 'ERR_TLS_CERT_ALTNAME_INVALID') return OTHER_NAME;
  if (code === 'ETLS' && command === 'STARTTLS') return NO_STARTTLS;
  return code === 'EAUTH' ? LOGIN_REFUSED : null;
}
