import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { StartupError } from '#kernel/errors/startup-error';
import { StorageConfig } from '#infra/config/config';
import { Transactions } from '#infra/database/transactions';
import { Logger } from '#infra/logging/logger';
import { HostedArtifacts } from './hosted-artifacts';
import { type HostedStoreIdentity, HostedStoreRepository } from './hosted-store.repository';

/**
 * Detects that the variables name another hosted store than the one that holds the artifacts, for example after a change of
 * `STORAGE_PROVIDER`: every download of an older build would fail.
 */
@Injectable()
export class HostedStoreIdentityService {
  constructor(
    private readonly repository: HostedStoreRepository,
    private readonly artifacts: HostedArtifacts,
    private readonly transactions: Transactions,
    private readonly config: StorageConfig,
    private readonly logger: Logger,
  ) {}

  /**
   * Called at the start. Records the configured store when none is recorded, when no build is in the recorded one, or when `STORAGE_MOVED`
   * says that the artifacts were moved. Processes that start at the same time decide one after another. Does nothing when the schema is of
   * an older version: the process then runs, but is not ready.
   * @throws StartupError when the store differs from the one of the builds.
   */
  async confirm(ctx: RequestContext): Promise<void> {
    await this.transactions.run(ctx, async (tx) => {
      if (!(await this.repository.hasTable(tx))) return;
      await this.transactions.advisoryLock(tx, 'hosted-store');
      const recorded = await this.repository.find(tx);
      const configured = identityOf(this.config);
      if (recorded && isSame(recorded, configured)) return;
      if (recorded && !this.config.moved && (await this.artifacts.exist(tx))) throw storeChanged(recorded, configured);
      await this.repository.record(tx, configured);
      if (recorded) this.logger.warn({ from: recorded, to: configured }, 'The hosted store has changed');
    });
  }

  /** Records the configured store as the one of the builds: a restore has copied their artifacts into it. */
  accept(ctx: RequestContext): Promise<void> {
    return this.repository.record(ctx, identityOf(this.config));
  }
}

const isSame = (a: HostedStoreIdentity, b: HostedStoreIdentity): boolean =>
  a.provider === b.provider && a.place === b.place;

/** The place does not include credentials, region and path style, which may change while the artifacts stay where they are. */
export function identityOf(storage: StorageConfig): HostedStoreIdentity {
  const { provider } = storage;
  if (provider === 's3') return { provider, place: `${hostOf(storage.s3Endpoint) ?? 'aws'}/${storage.s3Bucket ?? ''}` };
  if (provider === 'azure') {
    const account = azureAccountOf(storage.azureConnectionString ?? '');
    return { provider, place: `${account}/${storage.azureContainer ?? ''}` };
  }
  return { provider, place: '' };
}

const hostOf = (endpoint: string | undefined): string | null => (endpoint ? new URL(endpoint).host : null);

/** The emulator has one account, and its connection string may omit the name. */
const azureAccountOf = (connectionString: string): string =>
  /(?:^|;)\s*AccountName=([^;]+)/i.exec(connectionString)?.[1]?.trim() ?? 'devstoreaccount1';

const nameOf = ({ provider, place }: HostedStoreIdentity): string => (place ? `${provider} (${place})` : provider);

const storeChanged = (recorded: HostedStoreIdentity, configured: HostedStoreIdentity): StartupError =>
  new StartupError(
    `STORAGE_PROVIDER: the artifacts of this installation are in ${nameOf(recorded)}, but the variables name ` +
      `${nameOf(configured)}. Change the variables back, or copy the artifacts (docs/operations.md, "Artifacts in S3 or ` +
      `Azure") and start once with STORAGE_MOVED=true.`,
  );
