import { createHash } from 'node:crypto';
import { type OnApplicationShutdown } from '@nestjs/common';
import { type AllowedHosts } from '#infra/network/allowed-hosts';
import { OutgoingAgents } from '#infra/network/outgoing-agents';
import { type BlobStore } from './blob-store';
import { type StoreDescription } from './store-description';

const MAX_STORES = 200;

interface OpenStore {
  readonly store: BlobStore;
  readonly agents: OutgoingAgents;
}

/**
 * Opens the stores of customers, and keeps those used last, with their connections. The whole description is the key, secrets too, so
 * that a changed one is another store. Their connections go where `allowed` says, and carry the description's credentials only.
 */
export class StoreFactory implements OnApplicationShutdown {
  /** The one used last is the last. */
  private readonly stores = new Map<string, OpenStore>();

  constructor(
    private readonly allowed: AllowedHosts,
    private readonly mostStores = MAX_STORES,
  ) {}

  /** @throws AppError storage_backend_unavailable for a description that can never work; nothing is connected to yet. */
  open(description: StoreDescription): BlobStore {
    const key = keyOf(description);
    const open = this.stores.get(key) ?? this.make(description);
    this.stores.delete(key);
    this.stores.set(key, open);
    if (this.stores.size > this.mostStores) this.closeOldest();
    return open.store;
  }

  onApplicationShutdown(): void {
    while (this.stores.size > 0) this.closeOldest();
  }

  private make(description: StoreDescription): OpenStore {
    const agents = new OutgoingAgents({ allowed: this.allowed });
    return { store: openStore(description, agents), agents };
  }

  /** Whoever still uses it goes on; its connections end when they are done. */
  private closeOldest(): void {
    const [oldest] = this.stores;
    if (!oldest) return;
    this.stores.delete(oldest[0]);
    oldest[1].agents.close();
  }
}

/** The driver for a description. Loaded when it is needed: the SDKs take 30 MB and most of a second, which local storage saves. */
export function openStore(description: StoreDescription, agents: OutgoingAgents): BlobStore {
  /* eslint-disable @typescript-eslint/no-require-imports, @typescript-eslint/consistent-type-imports -- an import() would make every caller wait */
  if (description.provider === 's3') {
    const { S3BlobStore } = require('./s3/s3-blob-store') as typeof import('./s3/s3-blob-store');
    return new S3BlobStore(description, agents);
  }
  const { AzureBlobStore } = require('./azure/azure-blob-store') as typeof import('./azure/azure-blob-store');
  return new AzureBlobStore(description, agents);
}

/** Secrets are not kept as keys. */
function keyOf(description: StoreDescription): string {
  const fields = Object.entries(description).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(fields)).digest('hex');
}
