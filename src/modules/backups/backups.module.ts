import { Module } from '@nestjs/common';
import { AuditFeedModule } from '#modules/audit';
import { BillingModule } from '#modules/billing';
import { BuildsModule } from '#modules/builds';
import { StorageModule } from '#modules/storage';
import { BackupService } from './backup.service';
import { KeyProofs } from './key-proofs';
import { RestoreService } from './restore.service';
import { SelfChecksService } from './self-checks.service';

/** Copies of everything, how they come back, and the proof that what is there is whole. */
@Module({
  imports: [AuditFeedModule, BillingModule, BuildsModule, StorageModule],
  providers: [BackupService, KeyProofs, RestoreService, SelfChecksService],
  exports: [BackupService, RestoreService, SelfChecksService],
})
export class BackupsModule {}
