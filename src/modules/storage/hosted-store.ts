import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { type BlobStore } from '#platform/blob/blob-store';
import { LocalBlobStore } from '#platform/blob/local-blob-store';
import { RuntimeConfig } from '#platform/config/config';

/** Longer than any upload may take: what is older was left by a process that died. */
const TEMPORARY_HOURS = 6;

/** The operator's own store: files in `DATA_DIR/artifacts`. */
@Injectable()
export class HostedStore {
  readonly store: BlobStore;
  private readonly local: LocalBlobStore;

  constructor({ dataDirectory }: RuntimeConfig) {
    this.local = new LocalBlobStore(join(dataDirectory, 'artifacts'));
    this.store = this.local;
  }

  /** Removes what killed processes left half-written. */
  async sweepTemporary(now: Date): Promise<void> {
    await this.local.sweepTemporary(new Date(now.getTime() - TEMPORARY_HOURS * 3_600_000));
  }
}
