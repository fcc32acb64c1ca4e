import { Module } from '@nestjs/common';
import { AuditFeedModule } from '#modules/audit';
import { BillingModule } from '#modules/billing';
import { BuildsModule } from '#modules/builds';
import { StorageModule } from '#modules/storage';
import { UploadsModule } from '#modules/uploads';
import { BackupService } from './backup.service';
import { KeyProofsService } from './key-proofs.service';
import { RestoreService } from './restore.service';
import { SelfChecksService } from './self-checks.service';

@Module({
  imports: [AuditFeedModule, BillingModule, BuildsModule, StorageModule, UploadsModule],
  providers: [BackupService, KeyProofsService, RestoreService, SelfChecksService],
  exports: [BackupService, RestoreService, SelfChecksService],
})
export class BackupsModule {}
