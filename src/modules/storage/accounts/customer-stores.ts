import { Injectable } from '@nestjs/common';
import { AppError } from '#kernel/errors/app-error';
import { type BlobStore } from '#infra/blob/blob-store';
import { StoreFactory } from '#infra/blob/store-factory';
import { monitorStore } from '#infra/blob/monitored-store';
import { Sealer } from '#infra/crypto/sealer';
import { Metrics } from '#infra/metrics/metrics';
import { type CustomerAccount, describeStore, type StoreSettings } from './storage-account';
import { type StorageAccountEntity } from './storage-account.entity';

/** The context in which credentials are sealed: they open in their own row only. */
export const credentialsContext = (accountId: string): string => `storage-account|${accountId}`;

/** Customers' accounts as rows and as stores; here alone their secrets are in the clear. */
@Injectable()
export class CustomerStores {
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

  /** @throws AppError storage_backend_unavailable when the credentials do not open: they are another row's, or were changed. */
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

/** Without its secrets. */
export const toCustomerAccount = ({ sealedCredentials: _, ...account }: StorageAccountEntity): CustomerAccount =>
  account;
