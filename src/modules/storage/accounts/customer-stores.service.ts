import { Injectable } from '@nestjs/common';
import { AppError } from '#kernel/errors/app-error';
import { type BlobStore } from '#infra/blob/blob-store';
import { monitorStore } from '#infra/blob/monitored-store';
import { StoreFactory } from '#infra/blob/store-factory';
import { Sealer } from '#infra/crypto/sealer';
import { Metrics } from '#infra/metrics/metrics';
import { type CustomerAccount, describeStore, type StoreSettings } from './storage-account';
import { type StorageAccountEntity } from './storage-accounts.repository';

/** The seal context of an account's credentials. It binds them to their own row. */
export const credentialsContext = (accountId: string): string => `storage-account|${accountId}`;

/** Opens the stores of customers. Their credentials are in clear text only here. */
@Injectable()
export class CustomerStoresService {
  constructor(
    private readonly factory: StoreFactory,
    private readonly sealer: Sealer,
    private readonly metrics: Metrics,
  ) {}

  open(account: StorageAccountEntity): BlobStore {
    const { provider } = account;
    return monitorStore(this.factory.open(describeStore(this.settingsOf(account))), (kind) =>
      this.metrics.count('agate_store_errors_total', { owner: 'customer', provider, kind }),
    );
  }

  /**
   * @throws AppError storage_backend_unavailable when the credentials cannot be unsealed, because they belong to another row or are
   * corrupted.
   */
  settingsOf({ id, provider, place, sealedCredentials }: StorageAccountEntity): StoreSettings {
    const credentials: unknown = JSON.parse(this.unseal(id, sealedCredentials).toString());
    return { provider, place, credentials } as StoreSettings;
  }

  seal(accountId: string, { credentials }: StoreSettings): Buffer {
    return this.sealer.seal(Buffer.from(JSON.stringify(credentials)), credentialsContext(accountId));
  }

  private unseal(accountId: string, sealed: Buffer): Buffer {
    try {
      return this.sealer.open(sealed, credentialsContext(accountId));
    } catch (error) {
      throw new AppError('storage_backend_unavailable', { cause: error });
    }
  }
}

/** The account without its credentials. */
export const toCustomerAccount = ({ sealedCredentials: _, ...account }: StorageAccountEntity): CustomerAccount =>
  account;
