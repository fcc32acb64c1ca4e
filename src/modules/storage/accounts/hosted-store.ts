import { join } from 'node:path';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { type BlobStore } from '#infra/blob/blob-store';
import { LocalBlobStore } from '#infra/blob/local/local-blob-store';
import { type StoreDescription } from '#infra/blob/store-description';
import { openStore } from '#infra/blob/store-factory';
import { monitorStore } from '#infra/blob/monitored-store';
import { RuntimeConfig, StorageConfig } from '#infra/config/config';
import { Metrics } from '#infra/metrics/metrics';
import { OutgoingAgents } from '#infra/network/outgoing-agents';

/** Longer than any upload may take: what is older was left by a process that died. */
const TEMPORARY_HOURS = 6;

/** The operator's own store: files in `DATA_DIR/artifacts`, a bucket or a container. */
@Injectable()
export class HostedStore implements OnApplicationShutdown {
  readonly store: BlobStore;
  private readonly agents = new OutgoingAgents();

  constructor({ dataDirectory }: RuntimeConfig, storage: StorageConfig, metrics: Metrics) {
    const description = describe(storage);
    const store = description
      ? openStore(description, this.agents)
      : new LocalBlobStore(join(dataDirectory, 'artifacts'));
    const { provider } = storage;
    this.store = monitorStore(store, (kind) =>
      metrics.count('agate_store_errors_total', { owner: 'hosted', provider, kind }),
    );
  }

  /** Removes what killed processes left half-written; a store in the cloud does that by itself. */
  async sweepTemporary(now: Date): Promise<void> {
    if (!(this.store instanceof LocalBlobStore)) return;
    await this.store.sweepTemporary(new Date(now.getTime() - TEMPORARY_HOURS * 3_600_000));
  }

  onApplicationShutdown(): void {
    this.agents.close();
  }
}

/** What the configuration, which is known to be complete, says of a store in the cloud; null for none. */
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
