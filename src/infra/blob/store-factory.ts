import { createHash } from 'node:crypto';
import { type OnApplicationShutdown } from '@nestjs/common';
import { type AllowedHosts } from '#infra/network/allowed-hosts';
import { OutgoingAgents } from '#infra/network/outgoing-agents';
import { type BlobStore } from './blob-store';
import { type StoreDescription } from './store-description';
import { type PartSupply } from './streams/part-buffer';
import { PartBuffers } from './streams/write-in-parts';

const MAX_STORES = 200;

interface OpenStore {
  readonly store: BlobStore;
  readonly agents: OutgoingAgents;
}

/**
 * Opens customers' stores and caches the most recently used ones with their connections. The cache key covers the whole description,
 * secrets included, so a changed description is another store. Connections go to `allowed` hosts only.
 */
export class StoreFactory implements OnApplicationShutdown {
  /** Ordered by last use, the oldest first. */
  private readonly stores = new Map<string, OpenStore>();

  constructor(
    private readonly allowed: AllowedHosts,
    private readonly maxStores = MAX_STORES,
    private readonly buffers = new PartBuffers(),
  ) {}

  /** Does not connect. @throws AppError storage_backend_unavailable when the description is unusable. */
  open(description: StoreDescription): BlobStore {
    const key = keyOf(description);
    const open = this.stores.get(key) ?? this.create(description);
    this.stores.delete(key);
    this.stores.set(key, open);
    if (this.stores.size > this.maxStores) this.closeOldest();
    return open.store;
  }

  onApplicationShutdown(): void {
    while (this.stores.size > 0) this.closeOldest();
  }

  private create(description: StoreDescription): OpenStore {
    const agents = new OutgoingAgents({ allowed: this.allowed });
    return { store: openStore(description, agents, this.buffers.supply(false)), agents };
  }

  /** Closes idle connections only, so requests in flight finish. */
  private closeOldest(): void {
    const [oldest] = this.stores;
    if (!oldest) return;
    this.stores.delete(oldest[0]);
    oldest[1].agents.close();
  }
}

/** Creates the driver of a description. Loads the SDK on first use: SDKs cost 30 MB and most of a second, which local storage saves. */
export function openStore(
  description: StoreDescription,
  agents: OutgoingAgents,
  blocks: PartSupply = new PartBuffers().supply(false),
): BlobStore {
  /* eslint-disable @typescript-eslint/no-require-imports, @typescript-eslint/consistent-type-imports -- an import() would make every caller wait */
  if (description.provider === 's3') {
    const { S3BlobStore } = require('./s3/s3-blob-store') as typeof import('./s3/s3-blob-store');
    return new S3BlobStore(description, agents, blocks);
  }
  const { AzureBlobStore } = require('./azure/azure-blob-store') as typeof import('./azure/azure-blob-store');
  return new AzureBlobStore(description, agents, blocks);
}

/** Hashed, so that the map holds no secrets as keys. */
function keyOf(description: StoreDescription): string {
  const fields = Object.entries(description).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(fields)).digest('hex');
}
