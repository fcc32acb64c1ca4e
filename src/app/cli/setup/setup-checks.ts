import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { Client } from 'pg';
import { StartupError } from '#kernel/errors/startup-error';
import { newId } from '#kernel/ids';
import { type BlobStore } from '#infra/blob/blob-store';
import { checkPartUploads } from '#infra/blob/check-part-uploads';
import { PartBuffers } from '#infra/blob/streams/write-in-parts';
import { SystemClock } from '#infra/clock/system-clock';
import { CdnConfig, DatabaseConfig, HttpConfig, MailConfig, RuntimeConfig, StorageConfig } from '#infra/config/config';
import { type Config } from '#infra/config/load-config';
import { reachDatabase } from '#infra/database/reach-database';
import { parseMailAddress } from '#infra/mail/mail-message';
import { SmtpMailer } from '#infra/mail/mailers/smtp-mailer';
import { Metrics } from '#infra/metrics/metrics';
import { HostedStoreService } from '#modules/storage';

/** The result of one check. `problem` is null when it passed. */
export interface SetupCheck {
  readonly name: 'database' | 'mail' | 'storage';
  readonly describe: string;
  readonly problem: string | null;
}

const MAIL_TIMEOUT_MS = 10_000;
const OLDEST_POSTGRES = 150_000;
const PROBE_BYTES = 4096;
const SIGNED_URL_TIMEOUT_MS = 30_000;

/** Tries the answers of the operator. Writes test objects to the store and deletes them; changes nothing else. */
export async function runSetupChecks(config: Config): Promise<readonly SetupCheck[]> {
  const { url: database } = config.get(DatabaseConfig);
  const { url: mail } = config.get(MailConfig);
  const { provider } = config.get(StorageConfig);
  const attempt = async (
    name: SetupCheck['name'],
    describe: string,
    work: () => Promise<void>,
  ): Promise<SetupCheck> => {
    try {
      await work();
      return { name, describe, problem: null };
    } catch (error) {
      return { name, describe, problem: messageOf(error) };
    }
  };
  return Promise.all([
    database === undefined
      ? attempt('database', 'an embedded PostgreSQL, which the first start creates', () => Promise.resolve())
      : attempt('database', 'connects to PostgreSQL 15 or later', () => checkDatabase(config.get(DatabaseConfig))),
    mail === undefined
      ? attempt('mail', 'no mail server: mails are written to DATA_DIR/mail and not sent', () => Promise.resolve())
      : attempt('mail', 'connects and logs in to the mail server', () => checkMail(mail, config)),
    attempt('storage', `writes, reads and deletes an object, and uploads one in parts (${provider})`, () =>
      checkStorage(config),
    ),
  ]);
}

async function checkDatabase({ url, ownerUrl }: DatabaseConfig): Promise<void> {
  await reachDatabase({ DATABASE_URL: url, DATABASE_OWNER_URL: ownerUrl });
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ server_version_num: string }>('SHOW server_version_num');
    if (Number(rows[0]?.server_version_num) < OLDEST_POSTGRES) {
      throw new StartupError('The server is older than PostgreSQL 15. Use a newer one.');
    }
  } finally {
    await client.end();
  }
}

async function checkMail(url: string, config: Config): Promise<void> {
  const mailer = new SmtpMailer({
    url,
    baseUrl: config.get(HttpConfig).baseUrl,
    isProduction: config.get(RuntimeConfig).environment === 'production',
    from: parseMailAddress(config.get(MailConfig).from),
    timeouts: { connectMs: MAIL_TIMEOUT_MS, commandsMs: MAIL_TIMEOUT_MS, confirmationMs: MAIL_TIMEOUT_MS },
  });
  try {
    await mailer.verify();
  } finally {
    mailer.onApplicationShutdown();
  }
}

async function checkStorage(config: Config): Promise<void> {
  const hosted = new HostedStoreService(
    config.get(RuntimeConfig),
    config.get(StorageConfig),
    new Metrics(new SystemClock()),
    new PartBuffers(),
    config.get(CdnConfig),
  );
  const key = `checks/${newId()}`;
  const bytes = randomBytes(PROBE_BYTES);
  try {
    await hosted.store.write(key, Readable.from([bytes]));
    const read = await buffer(await hosted.store.read(key));
    await hosted.store.delete(key);
    if (!read.equals(bytes)) throw new StartupError('The store returned other bytes than were written.');
    if (await hosted.store.head(key)) {
      throw new StartupError('A deleted object still exists. Turn off object lock and retention.');
    }
    const other = `checks/${newId()}`;
    const verify = (sent: Buffer): Promise<void> => checkSignedUrl(hosted.store, other, sent, config.get(CdnConfig));
    await checkPartUploads(hosted.store, other, { verify });
  } finally {
    hosted.onApplicationShutdown();
  }
}

/** Downloads are redirected to such URLs, if the store or a CDN in front of it can sign. */
async function checkSignedUrl(store: BlobStore, key: string, bytes: Buffer, cdn: CdnConfig): Promise<void> {
  const options = { expiresInSeconds: 60, fileName: 'check.bin', mediaType: 'application/octet-stream' };
  const url = await store.signedUrl?.(key, options);
  if (url === undefined) return;
  const response = await fetchBriefly(url);
  const body = Buffer.from(await response.arrayBuffer());
  const signer = cdn.provider ? 'CDN' : 'store';
  if (response.status !== 200 || !body.equals(bytes)) {
    throw new StartupError(
      `A signed URL of the ${signer} does not return the object (status ${response.status}). Permit reading by signed URLs.`,
    );
  }
  if (cdn.provider) await checkCdn(url, response);
}

/** A CDN that verifies nothing opens all artifacts to everyone who knows their keys, and one that sets no headers lets browsers show them. */
async function checkCdn(url: string, { headers }: Response): Promise<void> {
  if (!headers.get('content-disposition')?.startsWith('attachment')) {
    throw new StartupError('The CDN sends no Content-Disposition. Set the headers of downloads as in docs/cdn.md.');
  }
  const unsigned = await fetchBriefly(url.split('?', 1)[0] ?? url);
  await unsigned.body?.cancel();
  if (unsigned.ok) {
    throw new StartupError(
      'The CDN returns the object without a signature. Let it verify signed URLs as in docs/cdn.md.',
    );
  }
}

const fetchBriefly = (url: string): Promise<Response> =>
  fetch(url, { signal: AbortSignal.timeout(SIGNED_URL_TIMEOUT_MS) });

/** The message of an error with its causes, because the store's own reason is the cause of a general error. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? '' : ` ${messageOf(error.cause)}`;
  return `${error.message}${cause}`;
}
