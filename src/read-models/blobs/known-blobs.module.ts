import { Global, Module } from '@nestjs/common';
import { KnownBlobs } from '#modules/builds';
import { HostedArtifacts } from '#modules/storage';
import { KnownBlobsRepository } from './known-blobs.repository';

@Global()
@Module({
  providers: [
    KnownBlobsRepository,
    { provide: HostedArtifacts, useExisting: KnownBlobsRepository },
    { provide: KnownBlobs, useExisting: KnownBlobsRepository },
  ],
  exports: [HostedArtifacts, KnownBlobs],
})
export class KnownBlobsModule {}
