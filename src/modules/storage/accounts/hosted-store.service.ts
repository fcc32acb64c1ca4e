import { join } from 'node:path';
import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { type BlobStore } from '#infra/blob/blob-store';
import { behindCdn } from '#infra/blob/cdn/cdn-store';
import { type Room } from '#infra/blob/local/free-room';
import { LocalBlobStore } from '#infra/blob/local/local-blob-store';
import { monitorStore } from '#infra/blob/monitored-store';
import { type StoreDescription } from '#infra/blob/store-description';
import { openStore } from '#infra/blob/store-factory';
import { PartBuffers } from '#infra/blob/streams/write-in-parts';
import { CdnConfig, RuntimeConfig, StorageConfig } from '#infra/config/config';
import { sample } from '#infra/metrics/gauge-source';
import { Metrics } from '#infra/metrics/metrics';
import { OutgoingAgents } from '#infra/network/outgoing-agents';

/** Longer than any upload can take, so an older temporary file belongs to a process that was killed. */
const TEMPORARY_HOURS = 6;

/**
 * The store that the operator configures: the folder `DATA_DIR/artifacts`, a bucket or a container. A CDN in front of it serves downloads of
 * this store only: organizations' own stores keep their own addresses.
 */
@Injectable()
export class HostedStoreService implements OnModuleInit, OnApplicationShutdown {
  readonly store: BlobStore;
  private readonly agents = new OutgoingAgents();

  constructor(
    { dataDirectory }: RuntimeConfig,
    storage: StorageConfig,
    private readonly metrics: Metrics,
    buffers: PartBuffers,
    cdn: CdnConfig,
  ) {
    const description = describe(storage);
    const store = description
      ? openStore(description, this.agents, buffers.supply(true))
      : new LocalBlobStore(join(dataDirectory, 'artifacts'), storage.minFreeBytes);
    const { provider } = storage;
    this.store = monitorStore(behindCdn(store, cdn), (kind) =>
      metrics.count('agate_store_errors_total', { owner: 'hosted', provider, kind }),
    );
  }

  onModuleInit(): void {
    this.metrics.watch({
      source: 'store_room',
      gauges: ['agate_store_free_bytes', 'agate_store_min_free_bytes'],
      read: async () => {
        const room = await this.room();
        if (!room) return [];
        return [
          sample('agate_store_free_bytes', room.freeBytes, {}),
          sample('agate_store_min_free_bytes', room.minFreeBytes, {}),
        ];
      },
    });
  }

  /** The room of the file system of a local store; null for other stores. */
  async room(): Promise<Room | null> {
    return this.store instanceof LocalBlobStore ? this.store.room() : null;
  }

  /** @throws AppError storage_backend_unavailable when a local store has too little room for `bytes` more. */
  async requireRoom(bytes: number): Promise<void> {
    if (this.store instanceof LocalBlobStore) await this.store.requireRoom(bytes);
  }

  /** Removes the temporary files of killed processes. Cloud stores need no sweep. */
  async sweepTemporary(now: Date): Promise<void> {
    if (!(this.store instanceof LocalBlobStore)) return;
    await this.store.sweepTemporary(new Date(now.getTime() - TEMPORARY_HOURS * 3_600_000));
  }

  onApplicationShutdown(): void {
    this.agents.close();
  }
}

/** The cloud store of a validated configuration. Null for local storage. */
function describe(storage: StorageConfig): StoreDescription | null {
  if (storage.provider === 's3') {
    return {
      provider: 's3',
      endpoint: storage.s3Endpoint,
      region: storage.s3Region,
      bucket: storage.s3Bucket ?? '',
      accessKeyId: storage.s3AccessKeyId ?? '',
      secretAccessKey: storage.s3SecretAccessKey ?? '',
      forcePathStyle: storage.s3ForcePathStyle,
    };
  }
  if (storage.provider === 'azure') {
    return {
      provider: 'azure',
      connectionString: storage.azureConnectionString ?? '',
      container: storage.azureContainer ?? '',
    };
  }
  return null;
}
